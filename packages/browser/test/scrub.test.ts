import { describe, expect, test } from 'vitest';
import { countTextWork } from '../../../test/test-utils/count-text-work.ts';
import { openPage, theReport } from './page.ts';

/** Returns the scrubbed form of a text. */
async function scrubbed(text: string): Promise<string> {
  const { captureMessage } = await openPage();
  captureMessage(text);
  return (await theReport()).message;
}

describe('scrubs', () => {
  test.each([
    ['https://shop.test/?token=abc&page=2', 'https://shop.test/?token=[scrubbed]&page=2'],
    ['https://shop.test/#access_token=abc&state=1', 'https://shop.test/#access_token=[scrubbed]&state=1'],
    ['/cb?code=abc', '/cb?code=[scrubbed]'],
    ['/cb?id_token=a.b.c&refresh_token=d', '/cb?id_token=[scrubbed]&refresh_token=[scrubbed]'],
    ['/login?to=%2Fcb%3Ftoken%3Dabc', '/login?to=%2Fcb%3Ftoken%3D[scrubbed]'],
    ['/login?to=%3Fcode%3Dabc', '/login?to=%3Fcode%3D[scrubbed]'],
    ['/a?API_KEY=1&apiKey=2&api-key=3', '/a?API_KEY=[scrubbed]&apiKey=[scrubbed]&api-key=[scrubbed]'],
    ['/a?password=1&passwd=2&client_secret=3', '/a?password=[scrubbed]&passwd=[scrubbed]&client_secret=[scrubbed]'],
    ['session=1; csrf=2', 'session=[scrubbed] csrf=[scrubbed]'],
    [
      'signature=1&credentials=2&jwt=3&auth=4',
      'signature=[scrubbed]&credentials=[scrubbed]&jwt=[scrubbed]&auth=[scrubbed]',
    ],
    ['https://ada:lovelace@shop.test/cart', 'https:[scrubbed]shop.test/cart'],
    ['Authorization: Bearer abc.DEF-123', 'Authorization: Bearer [scrubbed]'],
    ['got eyJhbGciOi.eyJzdWIi.c2ln there', 'got eyJ[scrubbed] there'],
    ['mail ada.lovelace+1@mail.example.com now', 'mail [scrubbed] now'],
    ['/u/ada%40example.com/edit', '/u/[scrubbed]/edit'],
    ['at f (https://shop.test/a.js?token=abc:10:5)', 'at f (https://shop.test/a.js?token=[scrubbed]:10:5)'],
  ])('%s', async (text, expected) => {
    expect(await scrubbed(text)).toBe(expected);
  });
});

test.each([
  'https://cdn.test/@scope/pkg@1.2.3/index.js?page=2&author=ada&tokenizer=bpe',
  'f@https://shop.test/assets/app.js:10:5',
  'Unexpected token < in JSON at position 0',
  'react@19.0.0-rc.1',
  '{"country":"DE","zipcode":"10115"}',
])('does not scrub: %s', async (text) => {
  expect(await scrubbed(text)).toBe(text);
});

test('scrubs values by their key, at any depth, in metadata, breadcrumbs and console objects', async () => {
  const { captureException, addBreadcrumb, setMetadata } = await openPage();
  setMetadata({ form: { Password: 'hush', user_password: 12345, list: [{ 'x-api-key': 'hush' }] }, page: 1 });
  addBreadcrumb({ data: { accessToken: 'hush', tokens: 3 } });
  console.log({ Cookie: 'hush', nested: { authorization: 'hush', author: 'g' } });
  captureException(new Error('x'));
  const { metadata, breadcrumbs } = await theReport();
  expect(metadata).toEqual({
    form: { Password: '[scrubbed]', user_password: '[scrubbed]', list: [{ 'x-api-key': '[scrubbed]' }] },
    page: 1,
  });
  expect(breadcrumbs?.map(({ data }) => data)).toEqual([
    { accessToken: '[scrubbed]', tokens: 3 },
    { level: 'log', arguments: [{ Cookie: '[scrubbed]', nested: { authorization: '[scrubbed]', author: 'g' } }] },
  ]);
});

test('scrubs every text of a report', async () => {
  const secret = '?token=SECRET';
  history.replaceState({}, '', `/${secret}`);
  const { captureException, setUser, setMetadata } = await openPage({ release: secret });
  setUser({ id: 'ada@example.com' });
  setMetadata({ secret, list: [secret] });
  console.log(secret);
  await fetch(`https://shop.test/${secret}`);
  const error = new Error(secret, { cause: new Error(secret) });
  error.stack = `Error\n    at f (https://shop.test/a.js${secret}:1:2)`;
  captureException(error);
  const text = JSON.stringify(await theReport());
  history.replaceState({}, '', '/');
  expect(text).not.toContain('SECRET');
  expect(text).not.toContain('ada@example.com');
});

test('treats keys such as __proto__ as data', async () => {
  const { captureException } = await openPage();
  captureException(new Error('x'), { metadata: JSON.parse('{"__proto__":{"a":1},"constructor":2}') });
  const { metadata } = await theReport();
  expect(Object.keys(metadata ?? {})).toContain('__proto__');
  expect(({} as Record<string, unknown>).a).toBeUndefined();
});

test.each([
  ['words', 'token'.repeat(4_000)],
  ['boundaries', '-token'.repeat(4_000)],
  ['percents', '%3Ftoken'.repeat(3_000)],
  ['spaces', `Bearer ${' '.repeat(20_000)}`],
  ['ats', 'a@'.repeat(10_000)],
  ['dots', `a@${'a.'.repeat(10_000)}`],
  ['slashes', '//'.repeat(10_000)],
  ['places', `token=${':1'.repeat(10_000)}`],
  ['lines', '\n '.repeat(10_000)],
])('scrubs hostile %s with work in proportion to their length', async (_name, text) => {
  const { captureException, flush } = await openPage();
  const error = new Error(text);
  error.stack = text;
  const steps = await countTextWork(() => {
    captureException(error, { metadata: { text } });
    return flush();
  });
  // Quadratic work would be ten thousand steps a character.
  expect(steps / text.length).toBeLessThan(1_500);
});
