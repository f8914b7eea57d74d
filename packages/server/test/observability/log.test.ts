import { describe, expect, test } from 'vitest';
import { countTextWork } from '../../../../test/test-utils/count-text-work.ts';
import { LineLimit } from '../../src/observability/line-limit.ts';
import { createLog } from '../../src/observability/log.ts';
import { scrubText } from '../../src/scrub/scrub-text.ts';
import { adminToken } from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';

interface Line {
  level: number;
  msg: string;
  [field: string]: unknown;
}

function collector(): { text: () => string; lines: () => Line[]; logTo: { write(line: string): void } } {
  const written: string[] = [];
  return {
    text: () => written.join(''),
    // Log collectors read each line as one message.
    lines: () =>
      written
        .join('')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as Line),
    logTo: { write: (line) => void written.push(line) },
  };
}

describe('log', () => {
  test('an overload writes a bounded number of lines, and the next ones say how many were omitted', () => {
    const { lines, logTo } = collector();
    let now = 0;
    const log = createLog('info', logTo, new LineLimit(() => now));
    for (let request = 0; request < 10_000; request++)
      log.error({ err: new Error(`ENOSPC ${request}`), request_id: `${request}` }, 'The storage is full.');
    log.warn({ peer: '10.0.0.1' }, 'Another line is written.');
    expect(lines()).toHaveLength(61);
    expect(lines().at(-1)?.msg).toBe('Another line is written.');
    now += 60_000;
    log.error({ request_id: 'last' }, 'The storage is full.');
    expect(lines().at(-1)).toMatchObject({ msg: 'The storage is full.', request_id: 'last', omitted: 9_940 });
    // Texts that a client can vary are bounded together.
    for (let text = 0; text < 5_000; text++) log.warn(`a page of https://${text}.example`);
    expect(lines().length).toBeLessThan(62 + 1_000 + 61);
  });

  test('the log truncates errors without splitting a surrogate pair, and prints no lone surrogate', () => {
    for (const first of ['', 'x']) {
      const { text, logTo } = collector();
      createLog('info', logTo).error({ err: new Error(`\ude00${first}${'😀'.repeat(20_000)}`) }, 'it failed');
      const [line] = text().split('\n');
      const { err } = JSON.parse(line ?? '') as { err: { message: string } };
      expect(err.message).toMatch(/^\ufffdx?(?:😀)+$/u);
    }
  });

  test('the log contains no secret, whichever call fails', async () => {
    const { text, lines, logTo } = collector();
    const { call, services, close } = await openService({ logLevel: 'trace', registration: 'open' }, { logTo });
    const secrets = new Set([adminToken, 'correct horse battery']);
    const remember = (body: object): void => {
      for (const [name, value] of Object.entries(body))
        if (/token|key|password/.test(name) && name !== 'token_type') secrets.add(String(value));
    };
    const { body: project } = await call<{ id: number; api_key: string }>('POST', 'projects', {
      body: { name: 'Shop' },
    });
    remember(project);
    const login = { email: 'admin@localhost', password: 'correct horse battery' };
    const { body: tokens } = await call<{ access_token: string; refresh_token: string }>('POST', 'auth/login', {
      body: login,
      token: null,
    });
    remember(tokens);
    remember((await call<object>('POST', 'auth/refresh', { body: { refresh_token: tokens.refresh_token } })).body);
    remember((await call<object>('POST', 'auth/tokens', { body: { name: 'CI' } })).body);
    remember((await call<object>('POST', 'projects/1/api-key/rotate')).body);
    const { headers } = await call('POST', 'auth/session', { body: login, token: null });
    const cookie = (headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    secrets.add(cookie.slice(cookie.indexOf('=') + 1));
    await call('GET', 'projects', { token: null, headers: { cookie } });
    const report = {
      project_api_key: project.api_key,
      message: 'It broke',
      user: { id: 'user-of-the-shop', name: 'user-of-the-shop', email: 'user-of-the-shop@a.example' },
    };
    await call('POST', 'errors', { body: report, token: null });
    // Send each secret in parts of a request where it does not belong.
    for (const secret of secrets) {
      await call('GET', `errors?token=${encodeURIComponent(secret)}`);
      await call('GET', `auth/links/use/${encodeURIComponent(secret)}`);
      await call('GET', 'projects', { token: secret });
      await call('POST', 'auth/login', { body: { email: secret, password: secret }, token: null });
      await call('POST', 'errors', { body: { ...report, project_api_key: secret }, token: null });
    }
    // A bug whose error contains the secrets.
    const broken = (): never => {
      throw Object.assign(new Error(`could not send Bearer ${tokens.access_token} with ${cookie}`), {
        command: { args: [...secrets] },
        cause: new Error(`{"project_api_key":"${project.api_key}","password":"correct horse battery"}`),
      });
    };
    Object.defineProperty(services.plans, 'all', { get: broken });
    expect((await call('GET', 'billing/plans')).status).toBe(500);
    await close();

    expect(lines().length).toBeGreaterThan(20);
    expect([...secrets].filter((secret) => secret.length >= 8 && text().includes(secret))).toEqual([]);
    expect(text()).not.toContain('user-of-the-shop');
  });

  test('the log reports each rejected origin once, in plain text', async () => {
    const { lines, logTo } = collector();
    const { call, close } = await openService({ logLevel: 'warn', corsOrigins: ['https://shop.example'] }, { logTo });
    for (const origin of ['https://evil\u009B2J', `https://${'x'.repeat(400)}`, `https://${'x'.repeat(500)}`])
      expect((await call('POST', 'errors', { body: {}, token: null, headers: { origin } })).status).toBe(403);
    await close();
    expect(lines().map(({ origin }) => origin)).toEqual(['https://evil\u{FFFD}2J', `https://${'x'.repeat(292)}`]);
  });

  test('the log has a line for each request, with its route but without its path', async () => {
    const { lines, logTo } = collector();
    const { call, close } = await openService({ logLevel: 'debug' }, { logTo });
    await call('GET', 'projects/12345?color=red', { headers: { 'x-request-id': 'mine-1' } });
    await close();
    expect(lines().filter(({ request_id }) => request_id === 'mine-1')).toEqual([
      expect.objectContaining({
        level: 20,
        msg: 'request',
        method: 'GET',
        route: '/api/v1/projects/:id',
        status: 404,
        ms: expect.any(Number),
      }),
    ]);
    expect(JSON.stringify(lines())).not.toContain('12345');
  });

  test('the log has no lines for reports', async () => {
    const { lines, logTo } = collector();
    const { call, close } = await openService({ logLevel: 'debug' }, { logTo });
    const { body: project } = await call<{ api_key: string }>('POST', 'projects', { body: { name: 'Shop' } });
    const before = lines().length;
    for (const project_api_key of [project.api_key, 'pk_wrong'])
      await call('POST', 'errors', { body: { project_api_key, message: 'It broke' }, token: null });
    await close();
    expect(lines().slice(before)).toEqual([]);
  });

  test('the log describes an internal error completely, with its request id', async () => {
    const { lines, logTo } = collector();
    const { call, services, close } = await openService({ logLevel: 'info' }, { logTo });
    const broken = (): never => {
      throw new Error('the plans are gone', { cause: new Error('a bug removed them') });
    };
    Object.defineProperty(services.plans, 'all', { get: broken });
    const { body } = await call('GET', 'billing/plans');
    await close();
    const line = lines().find(({ level }) => level === 50);
    expect(line).toMatchObject({
      request_id: body.request_id,
      err: {
        type: 'Error',
        message: 'the plans are gone',
        stack: expect.stringContaining('log.test.ts'),
        cause: { message: 'a bug removed them', stack: expect.stringContaining('log.test.ts') },
      },
    });
    expect(lines().find(({ msg }) => msg === 'request')).toMatchObject({ level: 40, status: 500 });
  });

  test('the log keeps text of clients on one line, and truncates it', () => {
    const { lines, text, logTo } = collector();
    createLog('info', logTo).warn(
      { err: new Error(`a\n{"level":60,"msg":"forged"}\u2028${'x'.repeat(100_000)}`) },
      'failure',
    );
    expect(lines()).toHaveLength(1);
    expect(text().length).toBeLessThan(80_000);
  });
});

describe('scrubText in the log', () => {
  test.each([
    ['password: hunter2', 'hunter2'],
    ['{"api_key":"abcdefgh"}', 'abcdefgh'],
    ['{"client_secret": "a b c"}', 'a b c'],
    ['https://a.example/?access_token=abc123&x=1', 'abc123'],
    ['Authorization: Bearer abc.def', 'abc.def'],
    ['curl -H "X: Basic dXNlcjpwYXNz"', 'dXNlcjpwYXNz'],
    ['cookie: service_session=abc', '=abc'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiJ4In0.c2ln', 'c2ln'],
    ['key pk_6mJ0r7sXkQeW1tYb3uVhLdZa', '6mJ0r7sX'],
    ['token of CI pat_6mJ0r7sXkQeW1tYb3uVhLdZa', '6mJ0r7sX'],
    ['mail to ada.l@shop.example failed', 'ada.l'],
    ['card 4111 1111 1111 1111 declined', '1111'],
  ])('scrubText removes the secret of %s', (text, secret) => {
    expect(scrubText(text)).not.toContain(secret);
  });

  test.each([
    'at pay (/app/pay.js:3:9)',
    'at read (https://shop.example/src/session.ts:3:9)',
    'order 1234567890123456 is late',
    'Cannot read properties of undefined',
    `Unexpected token '<', "<!doctype "... is not valid JSON`,
    'GET /api/tokens answered 404',
    'the session has ended',
    'at https://unpkg.com/react@18.2.0/umd/react.js:10:5',
    'node_modules/.pnpm/react-dom@18.3.1/node_modules/react-dom/index.js:1:2',
    'between 2026-11-20T09:00:00.000Z and 2026-11-21T10:30:00.000Z',
    'error TS2307: Cannot find module',
    'x-request-id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
  ])('scrubText keeps %s unchanged', (text) => {
    expect(scrubText(text)).toBe(text);
  });

  test('scrubText does work linear in the length of the text', async () => {
    const hostile: ((times: number) => string)[] = [
      (times) => 'a'.repeat(25 * times),
      (times) => 'a@'.repeat(12 * times),
      (times) => '1 '.repeat(12 * times),
      (times) => 'token'.repeat(5 * times),
      (times) => `password="${'a'.repeat(25 * times)}`,
      (times) => 'eyJaaaa.'.repeat(3 * times),
      (times) => 'a.a@a-'.repeat(4 * times),
      (times) => '4111'.repeat(6 * times),
      (times) => '%40%'.repeat(6 * times),
      (times) => '<token value'.repeat(2 * times),
      (times) => `<${'token '.repeat(4 * times)}`,
      (times) => "'cookie:".repeat(3 * times),
      (times) => '--token '.repeat(3 * times),
      (times) => 'token:['.repeat(3 * times),
      (times) => 'token=\\"'.repeat(3 * times),
      (times) => '-----BEGIN PRIVATE KEY-----'.repeat(times),
    ];
    for (const textOf of hostile) {
      const [small, large] = [
        await countTextWork(() => scrubText(textOf(20))),
        await countTextWork(() => scrubText(textOf(80))),
      ];
      // Quadratic work would grow sixteenfold.
      expect(large / small, textOf(1)).toBeLessThan(6);
    }
  });
});
