import { expect, test } from 'vitest';
import { isOriginAllowed } from '../src/origins.ts';
import { describeInMemory } from './service.ts';

const own = 'https://errors.example';

test.each([
  ['http://localhost:3000', [], true],
  ['https://app.localhost', [], true],
  ['http://127.8.9.1', [], true],
  ['http://[::1]:8080', [], true],
  ['https://shop.example', [], false],
  ['http://localhost.shop.example', [], false],
  ['null', [], false],
  ['null', ['*'], false],
  ['chrome-extension://abc', [], false],
  ['not an origin', [], false],
  ['https://shop.example', ['https://shop.example'], true],
  ['https://SHOP.example', ['https://shop.EXAMPLE'], true],
  ['https://shop.example', ['https://shop.example:443'], true],
  ['http://shop.example', ['https://shop.example'], false],
  ['https://shop.example:8443', ['https://shop.example'], false],
  ['http://localhost:3000', ['https://shop.example'], false],
  ['https://a.shop.example', ['https://*.shop.example'], true],
  ['https://a.b.shop.example', ['https://*.shop.example'], true],
  ['https://shop.example', ['https://*.shop.example'], false],
  ['https://.shop.example', ['https://*.shop.example'], false],
  ['https://evilshop.example', ['https://*.shop.example'], false],
  ['https://shop.example.evil.example', ['https://*.shop.example'], false],
  ['https://anything.example', ['*'], true],
  [own, ['https://shop.example'], true],
])('%s with the list %j: %s', (origin, entries, allowed) => {
  expect(isOriginAllowed(origin, entries, own)).toBe(allowed);
});

describeInMemory('cross-origin reports', (start) => {
  const from = (origin: string) => ({ headers: { origin } });

  test('an allowed page can read the answer, and an error too', async () => {
    const { report, call } = await start({ corsOrigins: ['https://shop.example'] });
    for (const answer of [
      await report({}, from('https://shop.example')),
      await report({ project_api_key: 'x' }, from('https://shop.example')),
    ]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('https://shop.example');
      expect(answer.headers.get('access-control-expose-headers')).toBe('Retry-After, X-Request-Id');
      expect(answer.headers.get('vary')).toContain('Origin');
      expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const large = await call('POST', 'errors', { body: 'x'.repeat(2_000_000), ...from('https://shop.example') });
    expect([large.status, large.headers.get('access-control-allow-origin')]).toEqual([413, 'https://shop.example']);
  });

  test('a page that is not listed is refused and gets no CORS headers', async () => {
    const { report, call } = await start({ corsOrigins: ['https://shop.example'] });
    const refused = await report({}, from('https://evil.example'));
    expect([refused.status, refused.body.code]).toEqual([403, 'origin_not_allowed']);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    expect((await call('GET', 'errors')).body.total).toBe(0);
  });

  test('a preflight names what is allowed, and a foreign one is refused', async () => {
    const { call } = await start({ corsOrigins: ['https://shop.example'] });
    const asked = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' };
    const good = await call('OPTIONS', 'errors', {
      token: null,
      headers: { origin: 'https://shop.example', ...asked },
    });
    expect(good.status).toBe(204);
    expect(Object.fromEntries(good.headers)).toMatchObject({
      'access-control-allow-origin': 'https://shop.example',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'content-type, content-encoding',
      'access-control-max-age': '86400',
      vary: 'Origin',
    });
    const foreign = await call('OPTIONS', 'errors', {
      token: null,
      headers: { origin: 'https://evil.example', ...asked },
    });
    expect([foreign.status, foreign.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });

  test('a program without an origin may report', async () => {
    const { report } = await start({ corsOrigins: ['https://shop.example'] });
    expect((await report()).status).toBe(200);
  });
});
