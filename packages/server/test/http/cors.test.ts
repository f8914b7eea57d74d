import { expect, test } from 'vitest';
import { isOriginEntry, normalEntries, originRule } from '../../src/origins/origin-entry.ts';
import { describeInMemory } from '../test-utils/describe-service.ts';

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
  ['https://a.shop.example:8443', ['https://*.shop.example'], false],
  ['https://a.shop.example:8443', ['https://*.shop.example:8443'], true],
  ['https://A.shop.EXAMPLE', ['https://*.Shop.example:443'], true],
  ['http://localhost.evil.example', [], false],
  ['http://notlocalhost', [], false],
  ['', ['https://*.shop.example'], false],
])('the origin %j with the allow-list %j: allowed %s', (origin, entries, allowed) => {
  expect(originRule(entries)(origin)).toBe(allowed);
});

test.each([
  'null',
  '',
  'shop.example',
  'ftp://shop.example',
  'https://shop.example/x',
  'https://*',
  'https://a.*.example',
  'https://shop.example:99999',
  'https://[::1',
  '**',
  'https://user@shop.example',
])('%j is no valid entry of an allow-list', (entry) => {
  expect(isOriginEntry(entry)).toBe(false);
});

test('entries are normalized to the spelling of browsers and deduplicated', () => {
  const entries = [
    'https://Shop.example:443',
    'https://shop.example',
    'http://*.Shop.example:80',
    'http://[::0001]:81',
    '*',
  ];
  expect(entries.every(isOriginEntry)).toBe(true);
  expect(normalEntries(entries)).toEqual(['https://shop.example', 'http://*.shop.example', 'http://[::1]:81', '*']);
});

test('an origin longer than a host name can be is rejected', () => {
  const allows = originRule(['https://*.shop.example']);
  expect(allows(`https://${'a.'.repeat(120)}shop.example`)).toBe(true);
  expect(allows(`https://${'a.'.repeat(8_000)}shop.example`)).toBe(false);
});

describeInMemory('cross-origin reports', (start) => {
  const from = (origin: string) => ({ headers: { origin } });

  test('a page of an allowed origin can read the response, also an error', async () => {
    const { report, call } = await start({ corsOrigins: ['https://shop.example'] });
    for (const response of [
      await report({}, from('https://shop.example')),
      await report({ project_api_key: 'x' }, from('https://shop.example')),
    ]) {
      expect(response.headers.get('access-control-allow-origin')).toBe('https://shop.example');
      expect(response.headers.get('access-control-expose-headers')).toBe('Retry-After, X-Request-Id');
      expect(response.headers.get('vary')).toContain('Origin');
      expect(response.headers.get('access-control-allow-credentials')).toBeNull();
    }
    const large = await call('POST', 'errors', { body: 'x'.repeat(2_000_000), ...from('https://shop.example') });
    expect([large.status, large.headers.get('access-control-allow-origin')]).toEqual([413, 'https://shop.example']);
  });

  test('a page of another origin is rejected and gets no CORS headers', async () => {
    const { report, call } = await start({ corsOrigins: ['https://shop.example'] });
    const refused = await report({}, from('https://evil.example'));
    expect([refused.status, refused.body.code]).toEqual([403, 'origin_not_allowed']);
    expect(refused.headers.get('access-control-allow-origin')).toBeNull();
    expect((await call('GET', 'errors')).body.total).toBe(0);
  });

  test('a preflight returns the allowed methods and headers, and is rejected for another origin', async () => {
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

  test('a client without an Origin header may report', async () => {
    const { report } = await start({ corsOrigins: ['https://shop.example'] });
    expect((await report()).status).toBe(200);
  });
});
