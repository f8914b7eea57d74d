import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Json } from '../api-call.ts';
import type { TestContext } from '../context.ts';
import type { RequirementId } from '../requirements.ts';
import type { Suite, ContractTest } from '../suite.ts';

const mark = '…[truncated]';
const bodyBytes = 1024 * 1024;
const kib = 1024;

/** Builds the test of a text field: whole at the limit, truncated above it, never inside a surrogate pair. */
function textLimitTest(
  requirement: RequirementId,
  field: string,
  limit: number,
  send: (text: string) => object,
  read: (stored: Json) => string,
): ContractTest {
  return {
    title: `${field} is truncated to ${limit} characters`,
    covers: [requirement, 'limits.mark', 'limits.truncated', 'limits.surrogates'],
    async run(context) {
      const store = (text: string): Promise<Json> => context.storedReport(send(text));
      const whole = await store('m'.repeat(limit));
      expect([read(whole), whole.truncated]).toEqual(['m'.repeat(limit), {}]);
      const longer = await store('m'.repeat(limit + 1));
      expect(read(longer)).toBe('m'.repeat(limit) + mark);
      // For metadata, truncated has the number of keys.
      expect(longer.truncated).toEqual({ [field]: field === 'metadata' ? 1 : limit + 1 });
      // The limit is between the two surrogates of the emoji.
      const split = await store(`${'m'.repeat(limit - 1)}🙂🙂`);
      expect(read(split)).toBe('m'.repeat(limit - 1) + mark);
      const fits = await store(`${'m'.repeat(limit - 2)}🙂`);
      expect([read(fits), fits.truncated]).toEqual([`${'m'.repeat(limit - 2)}🙂`, {}]);
      const justFits = await store(`${'m'.repeat(limit - 2)}🙂🙂`);
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

/** Builds a report and pads it with spaces to this number of bytes. */
async function padded(context: TestContext, bytes: number): Promise<string> {
  return JSON.stringify({ project_api_key: await context.fixture('key'), message: 'x' }).padEnd(bytes);
}

/** The limits of a report, and how a longer one is truncated. */
export const limits: Suite = {
  name: 'limits',
  tests: [
    textLimitTest(
      'limits.message',
      'message',
      8_192,
      (message) => ({ message }),
      (stored) => stored.message,
    ),
    textLimitTest(
      'limits.type',
      'type',
      200,
      (type) => ({ type }),
      (stored) => stored.type,
    ),
    textLimitTest(
      'limits.environment',
      'environment',
      64,
      (environment) => ({ environment }),
      (stored) => stored.environment,
    ),
    textLimitTest(
      'limits.release',
      'release',
      200,
      (release) => ({ release }),
      (stored) => stored.release,
    ),
    textLimitTest(
      'limits.url',
      'url',
      2_048,
      (url) => ({ url }),
      (stored) => stored.url,
    ),
    textLimitTest(
      'limits.user_agent',
      'user_agent',
      512,
      (user_agent) => ({ user_agent }),
      (stored) => stored.user_agent,
    ),
    textLimitTest(
      'limits.user',
      'user',
      200,
      (id) => ({ user: { id } }),
      (stored) => stored.user.id,
    ),
    textLimitTest(
      'limits.fingerprint',
      'fingerprint',
      200,
      (text) => ({ fingerprint: [text] }),
      (stored) => stored.fingerprint[0],
    ),
    ...['name', 'email'].map((name) =>
      textLimitTest(
        'limits.user.details',
        `user.${name}`,
        200,
        (text) => ({ user: { id: 'u-1', [name]: text } }),
        (stored) => stored.user[name],
      ),
    ),
    ...['viewport', 'language', 'connection'].map((name) =>
      textLimitTest(
        'limits.device',
        `device.${name}`,
        64,
        (text) => ({ device: { [name]: text } }),
        (stored) => stored.device[name],
      ),
    ),
    {
      title: 'too many exceptions, frames and source lines are truncated',
      covers: ['limits.exceptions', 'limits.truncated'],
      async run(context) {
        const context11 = Array.from({ length: 11 }, (_, index) => ({ line: index + 1, text: 'c'.repeat(300) }));
        const frame = { function: 'f', file: 'a.py', line: 6, column: null };
        const whole = [{ type: 'A', message: 'm', relation: null, frames: [{ ...frame, context: context11 }] }];
        expect(await context.storedReport({ message: 'whole', exceptions: whole })).toMatchObject({
          exceptions: whole,
          truncated: {},
        });
        const long = { ...frame, context: [{ line: 6, text: 'c'.repeat(301) }] };
        const frames = [long, ...Array.from({ length: 150 }, () => frame)];
        const many = Array.from({ length: 11 }, () => ({ type: 'A', frames }));
        const { exceptions, truncated } = await context.storedReport({ message: 'many', exceptions: many });
        expect([exceptions.length, truncated]).toEqual([10, { exceptions: 11 }]);
        expect(exceptions[0].frames).toHaveLength(100);
        expect(exceptions[0].frames[0].context[0].text).toBe('c'.repeat(300) + mark);
      },
    },
    {
      title: 'too many tags, too long names and too long values are truncated or dropped',
      covers: ['limits.tags', 'limits.truncated'],
      async run(context) {
        const tagsOf = (count: number): Record<string, string> =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`t${index}`, 'v'.repeat(200)]));
        const whole = await context.storedReport({ message: 'whole', tags: tagsOf(32) });
        expect([whole.tags, whole.truncated]).toEqual([tagsOf(32), {}]);
        const many = await context.storedReport({ message: 'many', tags: tagsOf(33) });
        expect([many.tags, many.truncated]).toEqual([tagsOf(32), { tags: 33 }]);
        const name = 'n'.repeat(64);
        const long = await context.storedReport({
          message: 'long',
          tags: { [name]: 'v'.repeat(201), [`${name}n`]: 'v', number: 1, empty: '' },
        });
        expect([long.tags, long.truncated]).toEqual([{ [name]: 'v'.repeat(200) + mark, empty: '' }, { tags: 4 }]);
      },
    },
    textLimitTest(
      'limits.metadata.strings',
      'metadata',
      8_192,
      (text) => ({ metadata: { text } }),
      (stored) => stored.metadata.text,
    ),
    {
      title: 'a report body of 1 MiB is accepted, one more byte returns 413',
      covers: ['limits.body', 'problem.payload_too_large.length'],
      async run(context) {
        expect(await sendRaw(context, await padded(context, bodyBytes))).toBe(200);
        expect(await sendRaw(context, await padded(context, bodyBytes + 1))).toBe(413);
        expect(await sendRaw(context, await padded(context, 4 * bodyBytes))).toBe(413);
      },
    },
    {
      title: 'the 1 MiB limit of a report body applies after decompression',
      covers: ['limits.body.decoded', 'conv.compression.limit'],
      async run(context) {
        const gzip = { 'content-encoding': 'gzip' };
        expect(await sendRaw(context, gzipSync(await padded(context, bodyBytes)), gzip)).toBe(200);
        expect(await sendRaw(context, gzipSync(await padded(context, bodyBytes + 1)), gzip)).toBe(413);
        expect(await sendRaw(context, gzipSync(Buffer.alloc(60 * bodyBytes)), gzip)).toBe(413);
      },
    },
    {
      title: 'JSON deeper than 32 levels, root included, returns 422',
      covers: ['limits.depth'],
      async run(context) {
        expect((await context.report({ metadata: nested(31) })).status).toBe(200);
        expect((await context.report({ metadata: nested(32) })).body.code).toBe('validation_failed');
        expect((await context.report({ metadata: nested(30) })).status).toBe(200);
      },
    },
    {
      title: 'JSON with over 50,000 nodes returns 422',
      covers: ['limits.nodes'],
      async run(context) {
        // The contract does not define the exact count of nodes, so the test stays clear of the limit.
        const wide = (length: number): object => ({ metadata: { wide: Array.from({ length }, () => 0) } });
        expect((await context.report(wide(49_900))).status).toBe(200);
        expect((await context.report(wide(50_000))).body.code).toBe('validation_failed');
      },
    },
    {
      title: 'a long stack trace keeps its first 200 and last 50 lines',
      covers: ['limits.stacktrace.lines', 'limits.truncated'],
      async run(context) {
        const lines = (count: number): string[] =>
          Array.from({ length: count }, (_, index) => `    at f${index} (https://a.example/a.js:${index + 1}:1)`);
        const whole = await context.storedReport({ stacktrace: lines(250).join('\n') });
        expect([whole.stacktrace, whole.truncated]).toEqual([lines(250).join('\n'), {}]);
        const sent = lines(251);
        const longer = await context.storedReport({ stacktrace: sent.join('\n') });
        expect(longer.stacktrace.split('\n')).toEqual([...sent.slice(0, 200), mark, ...sent.slice(-50)]);
        expect(longer.truncated).toEqual({ stacktrace: sent.join('\n').length });
      },
    },
    {
      title: 'a line of a stack trace is truncated to 1,024 characters',
      covers: ['limits.stacktrace.line', 'limits.surrogates', 'limits.mark'],
      async run(context) {
        const at = (text: string): string => `Error: x\n${text}\n    at f (https://a.example/a.js:1:1)`;
        const whole = await context.storedReport({ stacktrace: at('l'.repeat(1_024)) });
        expect([whole.stacktrace, whole.truncated]).toEqual([at('l'.repeat(1_024)), {}]);
        const longer = await context.storedReport({ stacktrace: at('l'.repeat(1_025)) });
        expect(longer.stacktrace).toBe(at('l'.repeat(1_024) + mark));
        expect(longer.truncated).toEqual({ stacktrace: at('l'.repeat(1_025)).length });
        const split = await context.storedReport({ stacktrace: at(`${'l'.repeat(1_023)}🙂`) });
        expect(split.stacktrace).toBe(at('l'.repeat(1_023) + mark));
      },
    },
    {
      title: 'a stack trace is truncated to 64 KiB of UTF-8',
      covers: ['limits.stacktrace.bytes', 'limits.mark'],
      async run(context) {
        const line = (letter: string): string => letter.repeat(1_000);
        const fits = Array.from({ length: 65 }, () => line('l')).join('\n');
        expect(await context.storedReport({ stacktrace: fits })).toMatchObject({ stacktrace: fits, truncated: {} });
        for (const letter of ['l', 'ü', '日']) {
          const sent = Array.from({ length: 80 }, () => line(letter)).join('\n');
          const stored = await context.storedReport({ stacktrace: sent });
          expect(Buffer.byteLength(stored.stacktrace)).toBeLessThanOrEqual(
            64 * kib + 2 * (Buffer.byteLength(mark) + 1),
          );
          expect(Buffer.byteLength(stored.stacktrace)).toBeGreaterThan(56 * kib);
          expect(stored.stacktrace).toContain(mark);
          expect(stored.stacktrace).not.toContain('\ufffd');
          expect(stored.truncated).toEqual({ stacktrace: sent.length });
        }
      },
    },
    {
      title: 'debug_ids keeps 250 entries',
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
        const stored = await context.storedReport({ debug_ids: ids(251) });
        expect(Object.keys(stored.debug_ids)).toHaveLength(250);
        expect(stored.truncated).toEqual({ debug_ids: 251 });
      },
    },
    {
      title: 'metadata keeps its first 256 keys',
      covers: ['limits.metadata.keys', 'limits.truncated'],
      async run(context) {
        const keys = (count: number): Record<string, number> =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
        expect(await context.storedReport({ metadata: keys(256) })).toMatchObject({
          metadata: keys(256),
          truncated: {},
        });
        const stored = await context.storedReport({ metadata: keys(300) });
        expect(stored.metadata).toEqual(keys(256));
        expect(stored.truncated).toEqual({ metadata: 300 });
      },
    },
    {
      title: 'metadata over 64 KiB loses its last keys',
      covers: ['limits.metadata.bytes', 'limits.truncated'],
      async run(context) {
        const big = (count: number): Record<string, string> =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'.repeat(8_000)]));
        expect(await context.storedReport({ metadata: big(8) })).toMatchObject({ metadata: big(8), truncated: {} });
        const stored = await context.storedReport({ metadata: big(12) });
        expect(Object.keys(stored.metadata)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7']);
        expect(Buffer.byteLength(JSON.stringify(stored.metadata))).toBeLessThanOrEqual(64 * kib);
        expect(stored.truncated).toEqual({ metadata: 12 });
      },
    },
    {
      title: 'metadata values deeper than 7 levels become JSON text',
      covers: ['limits.metadata.depth'],
      async run(context) {
        const leaf = (metadata: Json): [depth: number, value: Json] => {
          let [depth, value] = [0, metadata];
          while (typeof value === 'object') [depth, value] = [depth + 1, value.a];
          return [depth, value];
        };
        // Metadata itself is level 1, so six objects inside it make seven.
        expect(leaf((await context.storedReport({ metadata: nested(7) })).metadata)).toEqual([7, 1]);
        const [depth, text] = leaf((await context.storedReport({ metadata: nested(12) })).metadata);
        expect(depth).toBe(7);
        expect(JSON.parse(text)).toEqual(nested(5));
      },
    },
    {
      title: 'a report keeps its newest 100 breadcrumbs',
      covers: ['limits.breadcrumbs.count', 'limits.truncated'],
      async run(context) {
        const breadcrumbsOf = (count: number): Json[] =>
          Array.from({ length: count }, (_, index) => ({
            timestamp: '2026-11-20T09:00:00.000Z',
            type: 'navigation',
            category: `c${index}`,
            data: {},
          }));
        expect(await context.storedReport({ breadcrumbs: breadcrumbsOf(100) })).toMatchObject({
          breadcrumbs: breadcrumbsOf(100),
          truncated: {},
        });
        const stored = await context.storedReport({ breadcrumbs: breadcrumbsOf(101) });
        expect(stored.breadcrumbs).toEqual(breadcrumbsOf(101).slice(1));
        expect(stored.truncated).toEqual({ breadcrumbs: 101 });
      },
    },
    {
      title: 'the data of a breadcrumb over 4 KiB is truncated',
      covers: ['limits.breadcrumbs.one', 'limits.truncated'],
      async run(context) {
        const breadcrumbOf = (length: number): Json => ({
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 't',
          category: 'c',
          data: { a: 'x', text: 'd'.repeat(length) },
        });
        expect((await context.storedReport({ breadcrumbs: [breadcrumbOf(3_900)] })).breadcrumbs).toEqual([
          breadcrumbOf(3_900),
        ]);
        const stored = await context.storedReport({ breadcrumbs: [breadcrumbOf(10), breadcrumbOf(9_000)] });
        expect(stored.breadcrumbs).toHaveLength(2);
        expect(stored.breadcrumbs[0]).toEqual(breadcrumbOf(10));
        expect(stored.breadcrumbs[1]).toMatchObject({
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 't',
          category: 'c',
        });
        expect(Buffer.byteLength(JSON.stringify(stored.breadcrumbs[1]))).toBeLessThanOrEqual(4 * kib);
        expect(Object.keys(stored.truncated).length).toBeGreaterThan(0);
      },
    },
    {
      title: 'breadcrumbs over 128 KiB in all lose the oldest',
      covers: ['limits.breadcrumbs.all', 'limits.truncated'],
      async run(context) {
        const sent: Json[] = Array.from({ length: 60 }, (_, index) => ({
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 't',
          category: `c${index}`,
          data: { text: 'd'.repeat(3_500) },
        }));
        const { breadcrumbs, truncated } = await context.storedReport({ breadcrumbs: sent });
        expect(breadcrumbs).toEqual(sent.slice(-breadcrumbs.length));
        const bytes = Buffer.byteLength(JSON.stringify(breadcrumbs));
        expect(bytes).toBeLessThanOrEqual(128 * kib);
        expect(bytes).toBeGreaterThan(120 * kib);
        expect(truncated).toEqual({ breadcrumbs: 60 });
      },
    },
  ],
};
