import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import type { Json } from '../answer.ts';
import type { Chapter, ContractTest } from '../chapter.ts';
import type { RowId } from '../rows.ts';
import type { Scene } from '../scene.ts';

const mark = '…[truncated]';
const bodyBytes = 1024 * 1024;
const kib = 1024;

/** A text field: whole at its limit, cut past it, never inside a surrogate pair. */
function textLimit(
  row: RowId,
  field: string,
  limit: number,
  send: (text: string) => object,
  read: (kept: Json) => string,
): ContractTest {
  return {
    title: `${field} has ${limit} characters`,
    proves: [row, 'limits.mark', 'limits.truncated', 'limits.surrogates'],
    async run(scene) {
      const keep = (text: string): Promise<Json> => scene.kept(send(text));
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

async function sendRaw(scene: Scene, body: string | Uint8Array, headers: Record<string, string> = {}): Promise<number> {
  return (await scene.call('POST', 'errors', { token: null, body, headers })).status;
}

/** A report padded with blanks to so many bytes. */
async function padded(scene: Scene, bytes: number): Promise<string> {
  return JSON.stringify({ project_api_key: await scene.know('key'), message: 'x' }).padEnd(bytes);
}

/** What a report may have, and what is left of more. */
export const limits: Chapter = {
  name: 'limits',
  tests: [
    textLimit(
      'limits.message',
      'message',
      8_192,
      (message) => ({ message }),
      (kept) => kept.message,
    ),
    textLimit(
      'limits.type',
      'type',
      200,
      (type) => ({ type }),
      (kept) => kept.type,
    ),
    textLimit(
      'limits.environment',
      'environment',
      64,
      (environment) => ({ environment }),
      (kept) => kept.environment,
    ),
    textLimit(
      'limits.release',
      'release',
      200,
      (release) => ({ release }),
      (kept) => kept.release,
    ),
    textLimit(
      'limits.url',
      'url',
      2_048,
      (url) => ({ url }),
      (kept) => kept.url,
    ),
    textLimit(
      'limits.user_agent',
      'user_agent',
      512,
      (user_agent) => ({ user_agent }),
      (kept) => kept.user_agent,
    ),
    textLimit(
      'limits.user',
      'user',
      200,
      (id) => ({ user: { id } }),
      (kept) => kept.user.id,
    ),
    textLimit(
      'limits.metadata.strings',
      'metadata',
      8_192,
      (text) => ({ metadata: { text } }),
      (kept) => kept.metadata.text,
    ),
    {
      title: 'a body of 1 MiB is read, one of a byte more is not',
      proves: ['limits.body', 'problem.payload_too_large.length'],
      async run(scene) {
        expect(await sendRaw(scene, await padded(scene, bodyBytes))).toBe(200);
        expect(await sendRaw(scene, await padded(scene, bodyBytes + 1))).toBe(413);
        expect(await sendRaw(scene, await padded(scene, 4 * bodyBytes))).toBe(413);
      },
    },
    {
      title: 'also of what is unpacked',
      proves: ['limits.body.decoded', 'conv.compression.limit'],
      async run(scene) {
        const gzip = { 'content-encoding': 'gzip' };
        expect(await sendRaw(scene, gzipSync(await padded(scene, bodyBytes)), gzip)).toBe(200);
        expect(await sendRaw(scene, gzipSync(await padded(scene, bodyBytes + 1)), gzip)).toBe(413);
        expect(await sendRaw(scene, gzipSync(Buffer.alloc(60 * bodyBytes)), gzip)).toBe(413);
      },
    },
    {
      title: 'JSON has 32 levels, the root is the first',
      proves: ['limits.depth'],
      async run(scene) {
        expect((await scene.report({ metadata: nested(31) })).status).toBe(200);
        expect((await scene.report({ metadata: nested(32) })).body.code).toBe('validation_failed');
        expect((await scene.report({ metadata: nested(30) })).status).toBe(200);
      },
    },
    {
      title: 'JSON has 50,000 nodes',
      proves: ['limits.nodes'],
      async run(scene) {
        // How a node is counted is not told to the last one; far below and above is.
        const wide = (length: number): object => ({ metadata: { wide: Array.from({ length }, () => 0) } });
        expect((await scene.report(wide(49_900))).status).toBe(200);
        expect((await scene.report(wide(50_000))).body.code).toBe('validation_failed');
      },
    },
    {
      title: 'of a long stack the first 200 and the last 50 lines stay',
      proves: ['limits.stacktrace.lines', 'limits.truncated'],
      async run(scene) {
        const lines = (count: number): string[] =>
          Array.from({ length: count }, (_, index) => `    at f${index} (https://a.example/a.js:${index + 1}:1)`);
        const whole = await scene.kept({ stacktrace: lines(250).join('\n') });
        expect([whole.stacktrace, whole.truncated]).toEqual([lines(250).join('\n'), {}]);
        const sent = lines(251);
        const cut = await scene.kept({ stacktrace: sent.join('\n') });
        expect(cut.stacktrace.split('\n')).toEqual([...sent.slice(0, 200), mark, ...sent.slice(-50)]);
        expect(cut.truncated).toEqual({ stacktrace: sent.join('\n').length });
      },
    },
    {
      title: 'a line of a stack has 1,024 characters',
      proves: ['limits.stacktrace.line', 'limits.surrogates', 'limits.mark'],
      async run(scene) {
        const at = (text: string): string => `Error: x\n${text}\n    at f (https://a.example/a.js:1:1)`;
        const whole = await scene.kept({ stacktrace: at('l'.repeat(1_024)) });
        expect([whole.stacktrace, whole.truncated]).toEqual([at('l'.repeat(1_024)), {}]);
        const cut = await scene.kept({ stacktrace: at('l'.repeat(1_025)) });
        expect(cut.stacktrace).toBe(at('l'.repeat(1_024) + mark));
        expect(cut.truncated).toEqual({ stacktrace: at('l'.repeat(1_025)).length });
        const split = await scene.kept({ stacktrace: at(`${'l'.repeat(1_023)}🙂`) });
        expect(split.stacktrace).toBe(at('l'.repeat(1_023) + mark));
      },
    },
    {
      title: 'a stack has 64 KiB of UTF-8',
      proves: ['limits.stacktrace.bytes', 'limits.mark'],
      async run(scene) {
        const line = (letter: string): string => letter.repeat(1_000);
        const fits = Array.from({ length: 65 }, () => line('l')).join('\n');
        expect(await scene.kept({ stacktrace: fits })).toMatchObject({ stacktrace: fits, truncated: {} });
        for (const letter of ['l', 'ü', '日']) {
          const sent = Array.from({ length: 80 }, () => line(letter)).join('\n');
          const kept = await scene.kept({ stacktrace: sent });
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
      proves: ['limits.debug_ids', 'limits.truncated'],
      async run(scene) {
        const ids = (count: number): object =>
          Object.fromEntries(
            Array.from({ length: count }, (_, index) => [`https://a.example/${index}.js`, `id-${index}`]),
          );
        expect(await scene.kept({ debug_ids: ids(250) })).toMatchObject({ debug_ids: ids(250), truncated: {} });
        const kept = await scene.kept({ debug_ids: ids(251) });
        expect(Object.keys(kept.debug_ids)).toHaveLength(250);
        expect(kept.truncated).toEqual({ debug_ids: 251 });
      },
    },
    {
      title: 'of metadata 256 keys are kept, the last ones go',
      proves: ['limits.metadata.keys', 'limits.truncated'],
      async run(scene) {
        const keys = (count: number): Record<string, number> =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, index]));
        expect(await scene.kept({ metadata: keys(256) })).toMatchObject({ metadata: keys(256), truncated: {} });
        const kept = await scene.kept({ metadata: keys(300) });
        expect(kept.metadata).toEqual(keys(256));
        expect(kept.truncated).toEqual({ metadata: 300 });
      },
    },
    {
      title: 'metadata has 64 KiB, the last keys go',
      proves: ['limits.metadata.bytes', 'limits.truncated'],
      async run(scene) {
        const big = (count: number): Record<string, string> =>
          Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, 'v'.repeat(8_000)]));
        expect(await scene.kept({ metadata: big(8) })).toMatchObject({ metadata: big(8), truncated: {} });
        const kept = await scene.kept({ metadata: big(12) });
        expect(Object.keys(kept.metadata)).toEqual(['k0', 'k1', 'k2', 'k3', 'k4', 'k5', 'k6', 'k7']);
        expect(Buffer.byteLength(JSON.stringify(kept.metadata))).toBeLessThanOrEqual(64 * kib);
        expect(kept.truncated).toEqual({ metadata: 12 });
      },
    },
    {
      title: 'what lies deeper than 7 in metadata is told as JSON text',
      proves: ['limits.metadata.depth'],
      async run(scene) {
        const leaf = (metadata: Json): [depth: number, value: Json] => {
          let [depth, value] = [0, metadata];
          while (typeof value === 'object') [depth, value] = [depth + 1, value.a];
          return [depth, value];
        };
        // Six objects within metadata make seven with it.
        expect(leaf((await scene.kept({ metadata: nested(7) })).metadata)).toEqual([7, 1]);
        const [depth, text] = leaf((await scene.kept({ metadata: nested(12) })).metadata);
        expect(depth).toBe(7);
        expect(JSON.parse(text)).toEqual(nested(5));
      },
    },
    {
      title: 'the newest 100 breadcrumbs are kept',
      proves: ['limits.breadcrumbs.count', 'limits.truncated'],
      async run(scene) {
        const crumbs = (count: number): Json[] =>
          Array.from({ length: count }, (_, index) => ({
            timestamp: '2026-11-20T09:00:00.000Z',
            type: 'navigation',
            category: `c${index}`,
            data: {},
          }));
        expect(await scene.kept({ breadcrumbs: crumbs(100) })).toMatchObject({
          breadcrumbs: crumbs(100),
          truncated: {},
        });
        const kept = await scene.kept({ breadcrumbs: crumbs(101) });
        expect(kept.breadcrumbs).toEqual(crumbs(101).slice(1));
        expect(kept.truncated).toEqual({ breadcrumbs: 101 });
      },
    },
    {
      title: 'a breadcrumb has 4 KiB: its data is cut',
      proves: ['limits.breadcrumbs.one', 'limits.truncated'],
      async run(scene) {
        const crumb = (length: number): Json => ({
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 't',
          category: 'c',
          data: { a: 'x', text: 'd'.repeat(length) },
        });
        expect((await scene.kept({ breadcrumbs: [crumb(3_900)] })).breadcrumbs).toEqual([crumb(3_900)]);
        const kept = await scene.kept({ breadcrumbs: [crumb(10), crumb(9_000)] });
        expect(kept.breadcrumbs).toHaveLength(2);
        expect(kept.breadcrumbs[0]).toEqual(crumb(10));
        expect(kept.breadcrumbs[1]).toMatchObject({ timestamp: '2026-11-20T09:00:00.000Z', type: 't', category: 'c' });
        expect(Buffer.byteLength(JSON.stringify(kept.breadcrumbs[1]))).toBeLessThanOrEqual(4 * kib);
        expect(Object.keys(kept.truncated).length).toBeGreaterThan(0);
      },
    },
    {
      title: 'breadcrumbs have 128 KiB in all, the oldest go',
      proves: ['limits.breadcrumbs.all', 'limits.truncated'],
      async run(scene) {
        const crumbs: Json[] = Array.from({ length: 60 }, (_, index) => ({
          timestamp: '2026-11-20T09:00:00.000Z',
          type: 't',
          category: `c${index}`,
          data: { text: 'd'.repeat(3_500) },
        }));
        const { breadcrumbs, truncated } = await scene.kept({ breadcrumbs: crumbs });
        expect(breadcrumbs).toEqual(crumbs.slice(-breadcrumbs.length));
        const bytes = Buffer.byteLength(JSON.stringify(breadcrumbs));
        expect(bytes).toBeLessThanOrEqual(128 * kib);
        expect(bytes).toBeGreaterThan(120 * kib);
        expect(truncated).toEqual({ breadcrumbs: 60 });
      },
    },
    {
      title: 'a search has 200 characters',
      proves: ['limits.search'],
      steps: [
        { ask: `GET errors?search=${'x'.repeat(200)}`, get: 200 },
        { ask: `GET errors?search=${'x'.repeat(201)}`, get: 'validation_failed' },
      ],
    },
  ],
};
