import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import type { Tokens } from '@service/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owner } from '../accounts/sign-in-browser.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

const time = { now: Date.UTC(2026, 10, 21) };
const seconds = Math.floor(time.now / 1_000);

describe('an access token', () => {
  let service: OpenService;
  let key: Buffer;
  let sid: string;

  beforeAll(async () => {
    service = await openService({}, { now: () => time.now });
    const { body } = await service.call<{ access_token: string }>('POST', 'auth/login', { token: null, body: owner });
    const [, payload = ''] = body.access_token.split('.');
    ({ sid } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { sid: string });
    key = Buffer.from(service.services.store.model.tables.settings.get('signing_key')?.value ?? '', 'base64url');
  });

  afterAll(() => service.close());

  const good = () => ({ sid, iss: 'service', iat: seconds, exp: seconds + 900 });
  const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');
  const signed = (claims: object, header: object = {}, hash = 'sha256', by = key): string => {
    const text = `${encode({ alg: 'HS256', typ: 'JWT', ...header })}.${encode(claims)}`;
    return `${text}.${createHmac(hash, by).update(text).digest('base64url')}`;
  };
  const statusOf = async (token: string) => {
    const { status, body } = await service.call('GET', 'auth/me', { token });
    return [status, body.code];
  };

  test('an access token that matches the server’s format is accepted', async () => {
    expect(await statusOf(signed(good()))).toEqual([200, undefined]);
  });

  test('two access tokens of a session differ, also within a second', async () => {
    const login = await service.call<Tokens>('POST', 'auth/login', { token: null, body: owner });
    const { refresh_token } = login.body;
    const { body } = await service.call<Tokens>('POST', 'auth/refresh', { token: null, body: { refresh_token } });
    expect(body.access_token).not.toBe(login.body.access_token);
    expect(await statusOf(body.access_token)).toEqual([200, undefined]);
  });

  const forged: [name: string, token: () => string][] = [
    ['another key', () => signed(good(), {}, 'sha256', Buffer.alloc(32))],
    ['an empty key', () => signed(good(), {}, 'sha256', Buffer.alloc(0))],
    ['no algorithm', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good())}.`],
    ['another HMAC algorithm', () => signed(good(), { alg: 'HS512' }, 'sha512')],
    ['the right algorithm in the header only', () => signed(good(), {}, 'sha512')],
    [
      'a key pair',
      () => {
        const text = `${encode({ alg: 'EdDSA', typ: 'JWT' })}.${encode(good())}`;
        const { privateKey } = generateKeyPairSync('ed25519');
        return `${text}.${sign(null, Buffer.from(text), privateKey).toString('base64url')}`;
      },
    ],
    ['another type', () => signed(good(), { typ: 'at+jwt' })],
    ['no type', () => signed(good(), { typ: undefined })],
    ['a critical extension', () => signed(good(), { crit: ['x'], x: 1 })],
    ['a foreign issuer', () => signed({ ...good(), iss: 'elsewhere' })],
    ['no issuer', () => signed({ ...good(), iss: undefined })],
    ['no session', () => signed({ ...good(), sid: undefined })],
    ['a session that is not a string', () => signed({ ...good(), sid: 1 })],
    ['an unknown session', () => signed({ ...good(), sid: 'unknown' })],
    ['a session named like a property', () => signed({ ...good(), sid: '__proto__' })],
    ['no expiry', () => signed({ ...good(), exp: undefined })],
    ['an expiry that is not a number', () => signed({ ...good(), exp: 'tomorrow' })],
    ['no issue time', () => signed({ ...good(), iat: undefined })],
    ['an issue time in the future', () => signed({ ...good(), iat: seconds + 3_600, exp: seconds + 4_500 })],
    ['an issue time that is not a number', () => signed({ ...good(), iat: 'now' })],
    ['a not-before time in the future', () => signed({ ...good(), nbf: seconds + 3_600 })],
    ['a not-before time that is not a number', () => signed({ ...good(), nbf: 'now' })],
    ['no claims', () => signed([])],
    ['a changed claim', () => signed(good()).replace(/\.[^.]+\./, `.${encode({ ...good(), sid: 'x' })}.`)],
    ['one part too many', () => `${signed(good())}.x`],
    ['one part too few', () => signed(good()).replace(/\.[^.]+$/, '')],
    ['only empty parts', () => '..'],
  ];

  test.each(forged)('an access token with %s is rejected', async (_name, token) => {
    expect(await statusOf(token())).toEqual([401, 'invalid_token']);
  });

  test('an expired access token is rejected with expired_token', async () => {
    expect(await statusOf(signed({ ...good(), iat: seconds - 901, exp: seconds - 1 }))).toEqual([401, 'expired_token']);
    // The maximum lifetime applies even if the token claims a later expiry.
    expect(await statusOf(signed({ ...good(), iat: seconds - 3_600, exp: seconds + 3_600 }))).toEqual([
      401,
      'expired_token',
    ]);
  });
});
