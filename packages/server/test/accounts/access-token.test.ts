import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { owner } from './cookies.ts';
import { openService, type OpenService } from '../test-utils/services.ts';

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
  const answerTo = async (token: string) => {
    const { status, body } = await service.call('GET', 'auth/me', { token });
    return [status, body.code];
  };

  test('opens the API if it is as the server makes it', async () => {
    expect(await answerTo(signed(good()))).toEqual([200, undefined]);
  });

  const forged: [what: string, token: () => string][] = [
    ['another key', () => signed(good(), {}, 'sha256', Buffer.alloc(32))],
    ['an empty key', () => signed(good(), {}, 'sha256', Buffer.alloc(0))],
    ['no algorithm', () => `${encode({ alg: 'none', typ: 'JWT' })}.${encode(good())}.`],
    ['an algorithm of our key that is not ours', () => signed(good(), { alg: 'HS512' }, 'sha512')],
    ['an algorithm that is called ours', () => signed(good(), {}, 'sha512')],
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
    ['a session that is no text', () => signed({ ...good(), sid: 1 })],
    ['a session that never was', () => signed({ ...good(), sid: 'nobody' })],
    ['a session called as a property', () => signed({ ...good(), sid: '__proto__' })],
    ['no end', () => signed({ ...good(), exp: undefined })],
    ['an end that is no number', () => signed({ ...good(), exp: 'tomorrow' })],
    ['no beginning', () => signed({ ...good(), iat: undefined })],
    ['a beginning in the future', () => signed({ ...good(), iat: seconds + 3_600, exp: seconds + 4_500 })],
    ['a beginning that is no number', () => signed({ ...good(), iat: 'now' })],
    ['a time before which it is none', () => signed({ ...good(), nbf: seconds + 3_600 })],
    ['such a time that is no number', () => signed({ ...good(), nbf: 'now' })],
    ['no claims', () => signed([])],
    ['a changed claim', () => signed(good()).replace(/\.[^.]+\./, `.${encode({ ...good(), sid: 'x' })}.`)],
    ['a part too many', () => `${signed(good())}.x`],
    ['a part too few', () => signed(good()).replace(/\.[^.]+$/, '')],
    ['no form at all', () => '..'],
  ];

  test.each(forged)('with %s is refused', async (_what, token) => {
    expect(await answerTo(token())).toEqual([401, 'invalid_token']);
  });

  test('that is over says so', async () => {
    expect(await answerTo(signed({ ...good(), iat: seconds - 901, exp: seconds - 1 }))).toEqual([401, 'expired_token']);
    // However long it claims to live.
    expect(await answerTo(signed({ ...good(), iat: seconds - 3_600, exp: seconds + 3_600 }))).toEqual([
      401,
      'expired_token',
    ]);
  });
});
