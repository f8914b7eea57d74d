/// <reference types="node" />
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { table } from '../../../test/browsers/table.ts';
import { countTextWork } from '../../../test/test-utils/count-text-work.ts';
import scrubExamples from '../../../test/test-utils/scrub-examples.json' with { type: 'json' };
import { openPage, onlyReport } from './page.ts';

/** Returns the scrubbed form of a text. */
async function scrubbed(text: string): Promise<string> {
  const { captureMessage } = await openPage();
  captureMessage(text);
  return (await onlyReport()).message;
}

// The tests of the Python SDK read this table too.
const { scrubbed: examples, kept, secretKeys, plainKeys } = scrubExamples;

test.each(examples as [string, string][])('scrubs %s', async (text, expected) => {
  expect(await scrubbed(text)).toBe(expected);
});

test('leaves what is scrubbed already, when beforeSend and breadcrumbs copy it again', async () => {
  const texts = examples.map(([, expected = '']) => expected);
  const { captureException, addBreadcrumb } = await openPage({ beforeSend: (report) => ({ ...report }) });
  addBreadcrumb({ data: { texts: texts.slice(0, 12) } });
  captureException(new Error('x'), { metadata: { texts } });
  const { metadata, breadcrumbs } = await onlyReport();
  expect(metadata).toEqual({ texts });
  expect(breadcrumbs?.[0]?.data).toEqual({ texts: texts.slice(0, 12) });
});

test.each(kept)('does not scrub: %s', async (text) => {
  expect(await scrubbed(text)).toBe(text);
});

test('finds secrets by the keys of the table', async () => {
  const { captureException } = await openPage();
  const metadata = Object.fromEntries([...secretKeys, ...plainKeys].map((key) => [key, 'value']));
  captureException(new Error('x'), { metadata });
  expect((await onlyReport()).metadata).toEqual(
    Object.fromEntries([...secretKeys.map((key) => [key, '[scrubbed]']), ...plainKeys.map((key) => [key, 'value'])]),
  );
});

// `vitest -u` writes the examples.
test('docs/sdk/privacy.md lists the examples of the table', async () => {
  const path = join(import.meta.dirname, '../../../docs/sdk/privacy.md');
  const code = (text: string): string => `\`${text}\``;
  const list = (keys: string[]): string => keys.map(code).join(', ');
  const tables = [
    table(
      ['text', 'sent as'],
      examples.map((cells) => cells.map(code)),
    ),
    table(
      ['text that stays'],
      kept.map((text) => [code(text)]),
    ),
  ];
  const text = await readFile(path, 'utf8');
  const expected = text
    .replace(/(^\|.*\n)+/gm, () => `${tables.shift()}\n`)
    .replace(/^Scrubbed keys: .*$/m, `Scrubbed keys: ${list(secretKeys)}.`)
    .replace(/^Kept keys: .*$/m, `Kept keys: ${list(plainKeys)}.`);
  expect(tables).toEqual([]);
  await expect(expected).toMatchFileSnapshot(path);
});

test('scrubs values by their key, at any depth, in metadata, breadcrumbs and console objects', async () => {
  const { captureException, addBreadcrumb, setMetadata } = await openPage();
  setMetadata({ form: { Password: 'hush', user_password: 12345, list: [{ 'x-api-key': 'hush' }] }, page: 1 });
  addBreadcrumb({ data: { accessToken: 'hush', tokens: 3 } });
  console.log({ Cookie: 'hush', nested: { authorization: 'hush', author: 'g' } });
  captureException(new Error('x'));
  const { metadata, breadcrumbs } = await onlyReport();
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
  const text = JSON.stringify(await onlyReport());
  history.replaceState({}, '', '/');
  expect(text).not.toContain('SECRET');
  expect(text).not.toContain('ada@example.com');
});

test('treats keys such as __proto__ as data', async () => {
  const { captureException } = await openPage();
  captureException(new Error('x'), { metadata: JSON.parse('{"__proto__":{"a":1},"constructor":2}') });
  const { metadata } = await onlyReport();
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
  ['commas', `token=${','.repeat(20_000)}`],
  ['brackets', 'token=],'.repeat(3_000)],
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
