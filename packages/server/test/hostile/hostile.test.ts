import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cleanUp, temporaryFolder } from '../test-utils/service.ts';
import { hostileForms, hostileReports, oddPaths, oddRequests, sendForm, sendReport, statusOf } from './attacks.ts';
import { adminToken, startWatched, type WatchedServer } from './watched-server.ts';

const isFull = process.env.TEST_DEPTH === 'full';

/** What a request may do to a server: to have it say no. The answers to all of it come from a process of its own. */
describe('what is sent to harm', () => {
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
    // A defect is logged as an error, whatever it was answered.
    expect(server.complaints()).toEqual([]);
  });

  test.each(oddRequests)('%s', async (_name, text, statuses) => {
    const answer = await server.send([text], /\}$/);
    expect([answer, statuses]).toEqual([answer, expect.arrayContaining([statusOf(answer)])]);
    expect(answer).toMatch(/"code":"(bad_request|headers_too_large)"/);
  });

  test('paths that would be others', async () => {
    for (const [path, ...statuses] of oddPaths) {
      const text = `GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nConnection: close\r\n\r\n`;
      const answer = await server.send([text]);
      expect([path, statuses]).toEqual([path, expect.arrayContaining([statusOf(answer)])]);
      expect(answer).not.toMatch(/root:|devDependencies/);
    }
  });

  test('a hundred requests in one write are answered in their order, also past those that go wrong', async () => {
    const requests = Array.from({ length: 100 }, (_, index) => {
      const head = `Host: x\r\nX-Request-Id: id-${index}\r\n`;
      return index % 3 === 0
        ? `GET /healthz HTTP/1.1\r\n${head}\r\n`
        : index % 3 === 1
          ? `GET /api/v1/projects HTTP/1.1\r\n${head}\r\n`
          : `POST /api/v1/errors HTTP/1.1\r\n${head}Content-Type: application/json\r\nContent-Length: 1\r\n\r\n{`;
    });
    const answer = await server.send([requests.join('')], /id-99[^]*\}$/);
    expect([...answer.matchAll(/x-request-id: id-(\d+)/gi)].map(([, id]) => Number(id))).toEqual(
      Array.from({ length: 100 }, (_, index) => index),
    );
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status).slice(0, 6)).toEqual([
      '200',
      '401',
      '400',
      '200',
      '401',
      '400',
    ]);
  });

  const reports = hostileReports('KEY');
  test.each(reports.map(([name], index) => [name, index] as const))('a report: %s', async (_name, index) => {
    const [, body, headers, statuses] = hostileReports(key)[index] ?? reports[0]!;
    const status = statusOf(await sendReport(server, body, headers));
    expect(statuses).toContain(status);
  });

  test.each(hostileForms)('a form: %s', async (_name, body, headers, statuses) => {
    const answer = await sendForm(server, body, headers);
    expect([answer.slice(-300), statuses]).toEqual([answer.slice(-300), expect.arrayContaining([statusOf(answer)])]);
  });

  test('tokens that nobody was given let nobody in', async () => {
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

  test('fields that are not for clients to set are refused, and set nothing', async () => {
    for (const [method, path, body] of [
      ['POST', 'projects', { name: 'x', id: 1, team_id: 2, api_key: 'pk_mine' }],
      ['PUT', 'projects/1', { name: 'x', api_key: 'pk_mine' }],
      ['PATCH', 'auth/me', { name: 'x', role: 'owner' }],
      ['PATCH', 'auth/me', { name: 'x', id: 7, team: { id: 1 } }],
      ['POST', 'members', { email: 'm@b.example', role: 'viewer', team_id: 1 }],
      ['POST', 'auth/tokens', { name: 't', token: 'pat_mine' }],
    ] as const) {
      const answer = await server.call<{ code: string }>(method, path, { body });
      expect([path, answer.status, answer.body.code]).toEqual([path, 422, 'validation_failed']);
    }
    expect((await server.call<{ name: string; api_key: string }>('GET', 'projects/1')).body).toMatchObject({
      name: 'Shop',
      api_key: key,
    });
  });

  test('somebody of another team finds nothing by guessing ids', async () => {
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

  test('it still answers', async () => {
    expect(server.isAlive()).toBe(true);
    const { status } = await server.call('POST', 'errors', { body: { project_api_key: key, message: 'Still here' } });
    expect(status).toBe(200);
  });

  test.skipIf(!isFull)(
    'a head has 10 seconds, a whole request 30, and the upload of a map more',
    async () => {
      const since = async (pieces: () => AsyncIterable<string>): Promise<[seconds: number, answer: string]> => {
        const began = performance.now();
        const answer = await server.send(pieces());
        return [(performance.now() - began) / 1_000, answer];
      };
      /** A character a second, for so many. */
      async function* drip(head: string, seconds: number, end = ''): AsyncGenerator<string> {
        yield head;
        for (let second = 0; second < seconds; second++) {
          await new Promise((resolve) => setTimeout(resolve, 1_000));
          yield 'x';
        }
        yield end;
      }
      const head = (path: string, type: string, length: number): string =>
        `POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`;
      const [silent, slowHead, slowReport, slowJson, slowMap] = await Promise.all([
        since(() => drip('', 0)),
        since(() => drip('GET /healthz HTTP/1.1\r\nHost: x\r\nX: ', 60)),
        since(() => drip(head('errors', 'application/json', 1_000), 60)),
        since(() => drip(head('projects', 'application/json', 1_000), 60)),
        since(() => drip(head('projects/1/source-maps', 'multipart/form-data; boundary=x', 41), 40, '\n')),
      ]);
      for (const [[seconds, answer], limit] of [
        [silent, 10],
        [slowHead, 10],
        [slowReport, 30],
        [slowJson, 30],
      ] as const) {
        expect(answer).toMatch(/^HTTP\/1\.1 408 [^]*"code":"request_timeout"/);
        expect(seconds).toBeGreaterThanOrEqual(limit - 0.1);
        expect(seconds).toBeLessThan(limit + 5);
      }
      // Its 41 bytes came after 40 seconds, and are no form.
      expect(slowMap[0]).toBeGreaterThan(39);
      expect(slowMap[1]).toMatch(/"code":"malformed_multipart"/);
    },
    120_000,
  );

  // What is measured depends on the machine: it has its place where there is time for it.
  test.skipIf(!isFull)(
    'all of it again and again: the loop is free, memory stays and comes back',
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
        // Some at once: what one of them takes of the loop is asked here, not what all of them take together.
        const attacker = async (): Promise<void> => {
          for (const attack of attacks) await attack();
        };
        await Promise.all(Array.from({ length: 4 }, attacker));
      };
      for (let warm = 0; warm < 3; warm++) await round();
      const before = await server.settledRssMb();
      server.worst();
      for (let times = 0; times < 20; times++) await round();
      const { rssMb, delayMs } = server.worst();
      const after = await server.settledRssMb();
      console.log(
        `hostile rounds: ${rssMb.toFixed()} MB at most, ${before.toFixed()} → ${after.toFixed()} MB settled, loop held up ${delayMs.toFixed()} ms at most`,
      );
      expect(rssMb).toBeLessThanOrEqual(256);
      expect(after).toBeLessThanOrEqual(before + 25);
      expect(delayMs).toBeLessThanOrEqual(250);
    },
    600_000,
  );
});
