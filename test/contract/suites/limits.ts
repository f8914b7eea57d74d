import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import type { RequirementId } from '../requirements.ts';
import type { Suite, ContractTest } from '../suite.ts';

const mark = '…[truncated]';
const bodyBytes = 1024 * 1024;
const kib = 1024;

/** A text field: whole at its limit, cut past it, never inside a surrogate pair. */
function textLimitTest(
  row: RequirementId,
  field: string,
  limit: number,
  send: (text: string) => object,
  read: (kept: Json) => string,
): ContractTest {
  return {
    title: `${field} has ${limit} characters`,
    covers: [row, 'limits.mark', 'limits.truncated', 'limits.surrogates'],
    async run(context) {
      const keep = (text: string): Promise<Json> => context.storedReport(send(text));
      const whole = await keep('m'.repeat(limit));
      expect([read(whole), whole.truncated]).toEqual(['m'.repeat(limit), {}]);
      const cut = await keep('m'.repeat(limit + 1));
      expect(read(cut)).toBe('m'.repeat(limit) + mark);
      // Of metadata the number of its keys is told.
      expect(cut.truncated).toEqual({ [field]: field === 'metadata' ? 1 : limit + 1 });
      // The limit falls between the halves of the smile.
      const split = await keep(`${'m'.repeat(limit - 1)}🙂🙂`);
      expect(read(split)).toBe('m'.repeat(limit - 1) + mark);
      const fits = await keep(`${'m'.repeat(limit - 2)}🙂`);
      expect([read(fits), fits.truncated]).toEqual([`${'m'.repeat(limit - 2)}🙂`, {}]);
      const justFits = await keep(`${'m'.repeat(limit - 2)}🙂🙂`);
      expect(read(justFits)).toBe(`${'m'.repeat(limit - 2)}🙂${mark}`);
    },
  };
}

const nested = (depth: number): Json => (depth === 0 ? 1 : { a: nested(depth - 1) });

async function sendRaw(
  context: TestContext,
  body: string | Uint8Array,
  headers: Record<string, string> = {},
): Promise<number> {
  return (await context.call('POST', 'errors', { token: null, body, headers })).status;
}

/** A report padded with blanks to so many bytes. */
async function padded(context: TestContext, bytes: number): Promise<string> {
  return JSON.stringify({ project_api_key: await context.fixture('key'), message: 'x' }).padEnd(bytes);
}

/** What a report may have, and what is left of more. */
export const limits: Suite = {
  name: 'limits',
  tests: [
    textLimitTest(
      'limits.message',
      'message',
      8_192,
      (message) => ({ message }),
      (kept) => kept.message,
    ),
    textLimitTest(
      'limits.type',
      'type',
      200,
      (type) => ({ type }),
      (kept) => kept.type,
    ),
    textLimitTest(
      'limits.environment',
      'environment',
      64,
      (environment) => ({ environment }),
      (kept) => kept.environment,
    ),
    textLimitTest(
      'limits.release',
      'release',
      200,
      (release) => ({ release }),
      (kept) => kept.release,
    ),
    textLimitTest(
      'limits.url',
      'url',
      2_048,
      (url) => ({ url }),
      (kept) => kept.url,
    ),
    textLimitTest(
      'limits.user_agent',
      'user_agent',
      512,
      (user_agent) => ({ user_agent }),
      (kept) => kept.user_agent,
    ),
    textLimitTest(
      'limits.user',
      'user',
      200,
      (id) => ({ user: { id } }),
      (kept) => kept.user.id,
    ),
    textLimitTest(
      'limits.metadata.strings',
      'metadata',
      8_192,
      (text) => ({ metadata: { text } }),
      (kept) => kept.metadata.text,
    ),
    {
      title: 'a body of 1 MiB is read, one of a byte more is not',
      covers: ['limits.body', 'problem.payload_too_large.length'],
      async run(context) {
        expect(await sendRaw(context, await padded(context, bodyBytes))).toBe(200);
        expect(await sendRaw(context, await padded(context, bodyBytes + 1))).toBe(413);
        expect(await sendRaw(context, await padded(context, 4 * bodyBytes))).toBe(413);
      },
    },
    {
      title: 'also of what is unpacked',
      covers: ['limits.body.decoded', 'conv.compression.limit'],
      async run(context) {
        const gzip = { 'content-encoding': 'gzip' };
        expect(await sendRaw(context, gzipSync(await padded(context, bodyBytes)), gzip)).toBe(200);
        expect(await sendRaw(context, gzipSync(await padded(context, bodyBytes + 1)), gzip)).toBe(413);
        expect(await sendRaw(context, gzipSync(Buffer.alloc(60 * bodyBytes)), gzip)).toBe(413);
      },
    },
    {
      title: 'JSON has 32 levels, the root is the first',
      covers: ['limits.depth'],
      async run(context) {
        expect((await context.report({ metadata: nested(31) })).status).toBe(200);
        expect((await context.report({ metadata: nested(32) })).body.code).toBe('validation_failed');
        expect((await context.report({ metadata: nested(30) })).status).toBe(200);
      },
    },
    {
      title: 'JSON has 50,000 nodes',
      covers: ['limits.nodes'],
      async run(context) {
        // How a node is counted is not told to the last one; far below and above is.
        const wide = (length: number): object => ({ metadata: { wide: Array.from({ length }, () => 0) } });
        expect((await context.report(wide(49_900))).status).toBe(200);
        expect((await context.report(wide(50_000))).body.code).toBe('validation_failed');
      },
    },
    {
      title: 'of a long stack the first 200 and the last 50 lines stay',
      covers: ['limits.stacktrace.lines', 'limits.truncated'],
      async run(context) {
        const lines = (count: number): string[] =>
          Array.from({ length: count }, (_, index) => `    at f${index} (https://a.example/a.js:${index + 1}:1)`);
        const whole = await context.storedReport({ stacktrace: lines(250).join('\n') });
        expect([whole.stacktrace, whole.truncated]).toEqual([lines(250).join('\n'), {}]);
        const sent = lines(251);
        const cut = await context.storedReport({ stacktrace: sent.join('\n') });
        expect(cut.stacktrace.split('\n')).toEqual([...sent.slice(0, 200), mark, ...sent.slice(-50)]);
        expect(cut.truncated).toEqual({ stacktrace: sent.join('\n').length });
      },
    },
    {
      title: 'a line of a stack has 1,024 characters',
      covers: ['limits.stacktrace.line', 'limits.surrogates', 'limits.mark'],
      async run(context) {
        const at = (text: string): string => `Error: x\n${text}\n    at f (https://a.example/a.js:1:1)`;
        const whole = await context.storedReport({ stacktrace: at('l'.repeat(1_024)) });
        expect([whole.stacktrace, whole.truncated]).toEqual([at('l'.repeat(1_024)), {}]);
        const cut = await context.storedReport({ stacktrace: at('l'.repeat(1_025)) });
        expect(cut.stacktrace).toBe(at('l'.repeat(1_024) + mark));
        expect(cut.truncated).toEqual({ stacktrace: at('l'.repeat(1_025)).length });
        const split = await context.storedReport({ stacktrace: at(`${'l'.repeat(1_023)}🙂`) });
        expect(split.stacktrace).toBe(at('l'.repeat(1_023) + mark));
      },
    },
    {
      title: 'a stack has 64 KiB of UTF-8',
      covers: ['limits.stacktrace.bytes', 'limits.mark'],
      async run(context) {
        const line = (letter: string): string => letter.repeat(1_000);
        const fits = Array.from({ length: 65 }, () => line('l')).join('\n');
        expect(await context.storedReport({ stacktrace: fits })).toMatchObject({ stacktrace: fits, truncated: {} });
        for (const letter of ['l', 'ü', '日']) {
          const sent = Array.from({ length: 80 }, () => line(letter)).join('\n');
          const kept = await context.storedReport({ stacktrace: sent });
          expect(Buffer.byteLength(kept.stacktrace)).toBeLessThanOrEqual(64 * kib + 2 * (Buffer.byteLength(mark) + 1));
          expect(Buffer.byteLength(kept.stacktrace)).toBeGreaterThan(56 * kib);
          expect(kept.stacktrace).toContain(mark);
          expect(kept.stacktrace).not.toContain('\ufffd');
          expect(kept.truncated).toEqual({ stacktrace: sent.length });
        }
      },
    },
    {
      title: 'of debug_ids 250 are kept',
      covers: ['limits.debug_ids', 'limits.truncated'],
      async run(context) {
        const ids = (count: number): object =>
          Object.fromEntries(
            Array.from({ length: count }, (_, index) => [`https://a.example/${index}.js`, `id-${index}`]),
          );
        expect(await context.storedReport({ debug_ids: ids(250) })).toMatchObject({
          debug_ids: ids(250),
          truncated: {},
        });
        const kept = await context.storedReport({ debug_ids: ids(251) });
        expect(Object.keys(kept.debug_ids)).toHaveLength(250);
        expect(kept.truncated).toEqual({ debug_ids: 251 });
      },
    },
    {
      title: 'of metadata 256 keys are kept, the last ones go',
      covers: ['limits.metadata.keys', 'limits.truncated'],
      async run(context) {
        const keys = (count: number): Record<string, number> =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
        expect(await context.storedReport({ metadata: keys(256) })).toMatchObject({
          metadata: keys(256),
          truncated: {},
        });
        const kept = await context.storedReport({ metadata: keys(300) });
        expect(kept.metadata).toEqual(keys(256));
        expect(kept.truncated).toEqual({ metadata: 300 });
      },
    },
    {
      title: 'metadata has 64 KiB, the last keys go',
      covers: ['limits.metadata.bytes', 'limits.truncated'],
      async run(context) {
        const big = (count: number): Record<string, string> =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'.repeat(8_000)]));
        expect(await context.storedReport({ metadata: big(8) })).toMatchObject({ metadata: big(8), truncated: {} });
        const kept = await context.storedReport({ metadata: big(12) });
        expect(Object.keys(kept.metadata)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7']);
        expect(Buffer.byteLength(JSON.stringify(kept.metadata))).toBeLessThanOrEqual(64 * kib);
        expect(kept.truncated).toEqual({ metadata: 12 });
      },
    },
    {
      title: 'what lies deeper than 7 in metadata is told as JSON text',
      covers: ['limits.metadata.depth'],
      async run(context) {
        const leaf = (metadata: Json): [depth: number, value: Json] => {
          let [depth, value] = [0, metadata];
          while (typeof value === 'object') [depth, value] = [depth + 1, value.a];
          return [depth, value];
        };
        // Six objects within metadata make seven with it.
        expect(leaf((await context.storedReport({ metadata: nested(7) })).metadata)).toEqual([7, 1]);
        const [depth, text] = leaf((await context.storedReport({ metadata: nested(12) })).metadata);
        expect(depth).toBe(7);
        expect(JSON.parse(text)).toEqual(nested(5));
      },
    },
    {
      title: 'the newest 100 breadcrumbs are kept',
      covers: ['limits.breadcrumbs.count', 'limits.truncated'],
      async run(context) {
        const crumbs = (count: number): Json[] =>
          Array.from({ length: count }, (_, index) => ({
            timestamp: '2026-11-20T09:00:00.000Z',
            type: 'navigation',
            category: `c${index}`,
            data: {},
          }));
        expect(await context.storedReport({ breadcrumbs: crumbs(100) })).toMatchObject({
          breadcrumbs: crumbs(100),
          truncated: {},
        });
        const kept = await context.storedReport({ breadcrumbs: crumbs(101) });
        expect(kept.breadcrumbs).toEqual(crumbs(101).slice(1));
        expect(kept.truncated).toEqual({ breadcrumbs: 101 });
      },
    },
    {
      title: 'a breadcrumb has 4 KiB: its data is cut',
      covers: ['limits.breadcrumbs.one', 'limits.truncated'],
      async run(context) {
        const crumb = (length: number): Json => ({
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 't',
          category: 'c',
          data: { a: 'x', text: 'd'.repeat(length) },
        });
        expect((await context.storedReport({ breadcrumbs: [crumb(3_900)] })).breadcrumbs).toEqual([crumb(3_900)]);
        const kept = await context.storedReport({ breadcrumbs: [crumb(10), crumb(9_000)] });
        expect(kept.breadcrumbs).toHaveLength(2);
        expect(kept.breadcrumbs[0]).toEqual(crumb(10));
        expect(kept.breadcrumbs[1]).toMatchObject({ timestamp: '2026-11-20T09:00:00.000Z', type: 't', category: 'c' });
        expect(Buffer.byteLength(JSON.stringify(kept.breadcrumbs[1]))).toBeLessThanOrEqual(4 * kib);
        expect(Object.keys(kept.truncated).length).toBeGreaterThan(0);
      },
    },
    {
      title: 'breadcrumbs have 128 KiB in all, the oldest go',
      covers: ['limits.breadcrumbs.all', 'limits.truncated'],
      async run(context) {
        const crumbs: Json[] = Array.from({ length: 60 }, (_, index) => ({
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 't',
          category: `c${index}`,
          data: { text: 'd'.repeat(3_500) },
        }));
        const { breadcrumbs, truncated } = await context.storedReport({ breadcrumbs: crumbs });
        expect(breadcrumbs).toEqual(crumbs.slice(-breadcrumbs.length));
        const bytes = Buffer.byteLength(JSON.stringify(breadcrumbs));
        expect(bytes).toBeLessThanOrEqual(128 * kib);
        expect(bytes).toBeGreaterThan(120 * kib);
        expect(truncated).toEqual({ breadcrumbs: 60 });
      },
    },
    {
      title: 'a search has 200 characters',
      covers: ['limits.search'],
      steps: [
        { request: `GET errors?search=${'x'.repeat(200)}`, outcome: 200 },
        { request: `GET errors?search=${'x'.repeat(201)}`, outcome: 'validation_failed' },
      ],
    },
  ],
};
