import { createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { hostileForms, hostileReports, oddPaths, oddRequests, sendForm, sendReport, statusOf } from './attacks.ts';
import { adminToken, startWatched, type WatchedServer } from './watched-server.ts';
import { isFull } from '../../../../test/test-utils/depth.ts';

interface TimedResponse {
  seconds: number;
  response: string;
  /** The comments that each of the two streams had received by then. */
  comments: [number, number];
}

/** Opens a live stream, and returns a function that returns the number of comments received so far. */
async function countComments(server: WatchedServer): Promise<() => number> {
  const headers = { authorization: `Bearer ${adminToken}` };
  const { body } = await fetch(new URL('/api/v1/stream', server.url), { headers });
  let text = '';
  void body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write(chunk) {
        text += chunk;
      },
    }),
  );
  return () => text.match(/^:/gm)?.length ?? 0;
}

/** Attacks the built server in its own process. The only effect of an attack may be an error response. */
describe('attacks', () => {
  let server: WatchedServer;
  let key = '';
  beforeAll(async () => {
    server = await startWatched(`file:${await temporaryFolder()}`, { SERVICE_REGISTRATION: 'open' });
    const { body } = await server.call<{ api_key: string }>('POST', 'projects', { body: { name: 'Shop' } });
    key = body.api_key;
  });
  afterAll(async () => {
    const code = await server.stop();
    await cleanUp();
    expect(code).toBe(0);
    // Internal errors are logged at level error, whatever the response was.
    expect(server.errorLog()).toEqual([]);
  });

  test.each(oddRequests)('rejects a malformed request: %s', async (_name, text, statuses) => {
    const response = await server.send([text], /\}$/);
    expect([response, statuses]).toEqual([response, expect.arrayContaining([statusOf(response)])]);
    expect(response).toMatch(/"code":"(bad_request|headers_too_large)"/);
  });

  test('responds to odd paths without reading files outside the API', async () => {
    for (const [path, ...statuses] of oddPaths) {
      const text = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nConnection: close\r\n\r\n`;
      const response = await server.send([text]);
      expect([path, statuses]).toEqual([path, expect.arrayContaining([statusOf(response)])]);
      expect(response).not.toMatch(/root:|devDependencies/);
    }
  });

  test('responds to a hundred pipelined requests in order, including invalid ones', async () => {
    const requests = Array.from({ length: 100 }, (_, index) => {
      const head = `Host: x\r\nX-Request-Id: id-${index}\r\n`;
      return index % 3 === 0
        ? `GET /healthz HTTP/1.1\r\n${head}\r\n`
        : index % 3 === 1
          ? `GET /api/v1/projects HTTP/1.1\r\n${head}\r\n`
          : `POST /api/v1/errors HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{`;
    });
    const response = await server.send([requests.join('')], /id-99[^]*\}$/);
    expect([...response.matchAll(/x-request-id: id-(\d+)/gi)].map(([, id]) => Number(id))).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    );
    expect([...response.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).slice(0, 6)).toEqual([
      '200',
      '401',
      '400',
      '200',
      '401',
      '400',
    ]);
  });

  const reports = hostileReports('KEY');
  test.each(reports.map(([name], index) => [name, index] as const))(
    'responds to a hostile report: %s',
    async (_name, index) => {
      const [, body, headers, statuses] = hostileReports(key)[index] ?? reports[0]!;
      const status = statusOf(await sendReport(server, body, headers));
      expect(statuses).toContain(status);
    },
  );

  test.each(hostileForms)('responds to a hostile form: %s', async (_name, body, headers, statuses) => {
    const response = await sendForm(server, body, headers);
    expect([response.slice(-300), statuses]).toEqual([
      response.slice(-300),
      expect.arrayContaining([statusOf(response)]),
    ]);
  });

  test('rejects forged tokens', async () => {
    const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = { sub: '1', sid: '1', exp: 9_999_999_999, iat: 1 };
    const sign = (head: object, secret: string): string => {
      const text = `${part(head)}.${part(claims)}`;
      return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`;
    };
    for (const token of [
      `${part({ alg: 'none' })}.${part(claims)}.`,
      `${part({ alg: 'None', typ: 'JWT' })}.${part(claims)}.AAAA`,
      ...['', 'secret', 'undefined', 'null', adminToken].map((secret) => sign({ alg: 'HS256' }, secret)),
      sign({ alg: 'HS256', kid: '../../../../dev/null' }, ''),
      sign({ alg: 'HS512' }, 'secret'),
      sign({ alg: 'HS256', crit: ['x'], x: 1 }, 'secret'),
      sign({ alg: 'HS256', jku: 'http://127.0.0.1:1/keys' }, 'secret'),
      `${part({ alg: 'ES256' })}.${part(claims)}.${Buffer.alloc(64).toString('base64url')}`,
      'a.b.c',
      '..',
      'null',
      'pat_',
      `pat_${'0'.repeat(64)}`,
      `${adminToken} `.repeat(2).trim(),
      adminToken.slice(0, -1),
      adminToken.toUpperCase(),
      'x'.repeat(8_000),
      `${'.'.repeat(8_000)}`,
    ]) {
      const { status, body } = await server.call<{ code: string }>('GET', 'projects', { token });
      expect([token, status, body.code]).toEqual([token, 401, expect.stringMatching(/token$/)]);
    }
  });

  test('rejects fields that clients cannot set, and changes nothing', async () => {
    for (const [method, path, body] of [
      ['POST', 'projects', { name: 'x', id: 1, team_id: 2, api_key: 'pk_mine' }],
      ['PUT', 'projects/1', { name: 'x', api_key: 'pk_mine' }],
      ['PATCH', 'auth/me', { name: 'x', role: 'owner' }],
      ['PATCH', 'auth/me', { name: 'x', id: 7, team: { id: 1 } }],
      ['POST', 'members', { email: 'm@b.example', role: 'viewer', team_id: 1 }],
      ['POST', 'auth/tokens', { name: 't', token: 'pat_mine' }],
    ] as const) {
      const response = await server.call<{ code: string }>(method, path, { body });
      expect([path, response.status, response.body.code]).toEqual([path, 422, 'validation_failed']);
    }
    expect((await server.call<{ name: string; api_key: string }>('GET', 'projects/1')).body).toMatchObject({
      name: 'Shop',
      api_key: key,
    });
  });

  test('returns 404 to another team for every guessed id', async () => {
    const { body: tokens } = await server.call<{ access_token: string }>('POST', 'auth/register', {
      token: 'none',
      body: { email: 'other@b.example', password: 'correct horse battery' },
    });
    await server.call('POST', 'errors', { body: { project_api_key: key, message: 'Guess me' } });
    for (const id of ['1', '2', '3', '0', '-1', '9007199254740991', '1%00']) {
      for (const [method, path, body] of [
        ['GET', `projects/${id}`, undefined],
        ['PUT', `projects/${id}`, { name: 'Mine' }],
        ['DELETE', `projects/${id}`, undefined],
        ['POST', `projects/${id}/api-key/rotate`, undefined],
        ['GET', `projects/${id}/source-maps`, undefined],
        ['DELETE', `projects/${id}/source-maps/1`, undefined],
        ['GET', `projects/${id}/facets`, undefined],
        ['GET', `errors/${id}`, undefined],
        ['GET', `errors/${id}/reports`, undefined],
        ['GET', `errors/${id}/reports/1`, undefined],
        ['PATCH', `errors/${id}/status`, { status: 'resolved' }],
        ['DELETE', `errors/${id}`, undefined],
      ] as const) {
        const { status } = await server.call(method, path, { token: tokens.access_token, body });
        expect([method, path, status]).toEqual([method, path, 404]);
      }
    }
    expect((await server.call('GET', 'projects/1')).status).toBe(200);
  });

  test('accepts reports after all attacks', async () => {
    expect(server.isAlive()).toBe(true);
    const { status } = await server.call('POST', 'errors', { body: { project_api_key: key, message: 'Still here' } });
    expect(status).toBe(200);
  });

  test.skipIf(!isFull)('times out a head after 10 seconds and a request after 30, but a map upload later', async () => {
    const timed = async (pieces: () => AsyncIterable<string>): Promise<TimedResponse> => {
      const startedAt = performance.now();
      const response = await server.send(pieces());
      return { seconds: (performance.now() - startedAt) / 1_000, response, comments: [first(), second()] };
    };
    /** Sends the head, then one character a second. */
    async function* drip(head: string, seconds: number, end = ''): AsyncGenerator<string> {
      yield head;
      for (let second = 0; second < seconds; second++) {
        await sleep(1_000);
        yield 'x';
      }
      yield end;
    }
    const head = (path: string, type: string, length: number): string =>
      `POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
    // The comments of streams are clocks in the process of the server: on a busy machine, they are late as well. The
    // first clock starts with the requests, the second five seconds later. Each ticks after 0, 15, 30 and 45 seconds.
    const first = await countComments(server);
    let second = (): number => 0;
    const secondStarted = sleep(5_000).then(async () => (second = await countComments(server)));
    const [silent, slowHead, slowReport, slowJson, slowMap] = await Promise.all([
      timed(() => drip('', 0)),
      timed(() => drip('GET /healthz HTTP/1.1\r\nHost: x\r\nX: ', 60)),
      timed(() => drip(head('errors', 'application/json', 1_000), 60)),
      timed(() => drip(head('projects', 'application/json', 1_000), 60)),
      timed(() => drip(head('projects/1/source-maps', 'multipart/form-data; boundary=x', 41), 40, '\n')),
    ]);
    await secondStarted;
    for (const [{ seconds, response, comments }, limit, maxComments] of [
      // Within 15 seconds.
      [silent, 10, [1, 1]],
      [slowHead, 10, [1, 1]],
      // Within 35 seconds.
      [slowReport, 30, [3, 2]],
      [slowJson, 30, [3, 2]],
    ] as const) {
      expect(response).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
      expect(seconds).toBeGreaterThanOrEqual(limit - 0.1);
      for (const [index, max] of maxComments.entries()) expect(comments[index]).toBeLessThanOrEqual(max);
    }
    // The upload arrived after 40 seconds without a timeout; its 41 bytes are no valid form.
    expect(slowMap.seconds).toBeGreaterThan(39);
    expect(slowMap.response).toMatch(/"code":"malformed_multipart"/);
  });

  // The CPU time depends on the speed of the machine, so it is measured only in the full test run.
  test.skipIf(!isFull)(
    'repeated attacks block the event loop only briefly and leak no memory',
    async () => {
      const round = async (): Promise<void> => {
        const attacks = [
          ...oddRequests.map(
            ([, text]) =>
              () =>
                server.send([text], /\}$/),
          ),
          ...hostileReports(key).map(
            ([, body, headers]) =>
              () =>
                sendReport(server, body, headers),
          ),
          ...hostileForms.map(
            ([, body, headers]) =>
              () =>
                sendForm(server, body, headers),
          ),
        ].values();
        // Only four concurrently: the limit is for a turn of the event loop with single attacks, not with all together.
        const attacker = async (): Promise<void> => {
          for (const attack of attacks) await attack();
        };
        await Promise.all(Array.from({ length: 4 }, attacker));
      };
      for (let warm = 0; warm < 3; warm++) await round();
      const before = await server.settledRssMb();
      await server.takePeaks();
      for (let times = 0; times < 20; times++) await round();
      const { rssMb, turnMs } = await server.takePeaks();
      const after = await server.settledRssMb();
      console.log(
        `hostile rounds: ${rssMb.toFixed()} MB at most, ${before.toFixed()} → ${after.toFixed()} MB settled, a turn of the event loop took ${turnMs.toFixed()} ms of CPU at most`,
      );
      expect(rssMb).toBeLessThanOrEqual(256);
      expect(after).toBeLessThanOrEqual(before + 25);
      expect(turnMs).toBeLessThanOrEqual(250);
    },
    600_000,
  );
});
