import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { errorToReport, readHead } from '../packages/browser/src/error-to-report.ts';
import { unwrapEvent } from '../packages/browser/src/unwrap-event.ts';
import { createService, type Service } from '../packages/server/src/index.ts';
import { isFull } from './test-utils/depth.ts';

const captured = fileURLToPath(new URL('../benchmarks/corpus/captured/', import.meta.url));
const adminToken = 'known-bugs-admin-token-0123456789';
const bundlers = isFull ? ['vite', 'esbuild', 'webpack'] : ['vite'];
/** The short run uses the releases that differ most. */
const releases = isFull ? ['r1', 'r2', 'r3', 'r4'] : ['r1', 'r4'];

/** An error captured in a browser, and the bug that caused it. */
interface Captured {
  bug_id: string;
  bundler: string;
  release: string;
  minified: boolean;
  mechanism: string;
  value_type: string;
  name: string | null;
  message: string | null;
  event_message?: string;
  stack: string | null;
  filename?: string;
  lineno?: number;
  colno?: number;
  cause?: object;
  errors?: object[];
  url: string;
  user_agent: string;
}

const records = unpacked(join(captured, 'records.jsonl.gz'))
  .split('\n')
  .map((line) => JSON.parse(line) as Captured)
  .filter(({ minified, release }) => minified && releases.includes(release));

describe(`errors of 75 known bugs, in ${releases.length} releases and three browsers`, () => {
  let service: Service;
  beforeAll(async () => {
    service = await createService({ storage: 'memory:', adminToken, logLevel: 'silent' });
  });
  afterAll(() => service?.close());

  async function call(method: string, path: string, body?: FormData | object): Promise<Record<string, unknown>> {
    const isForm = body instanceof FormData;
    const request = new Request(`http://service.invalid/api/v1/${path}`, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, ...(!isForm && { 'content-type': 'application/json' }) },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const response = await service.fetch(request);
    expect(response.ok, `${method} ${path}: ${response.status}`).toBe(true);
    return (await response.json()) as Record<string, unknown>;
  }

  test.each(bundlers)('are grouped by bug with an F1 above 0.94, built by %s', async (bundler) => {
    const project = await call('POST', 'projects', { name: bundler });
    const maps = join(captured, 'maps/ferry', bundler);
    for (const release of readdirSync(maps).toSorted()) {
      for (const name of readdirSync(join(maps, release))) {
        const form = new FormData();
        form.set('release', release);
        form.set('file', new Blob([unpacked(join(maps, release, name))]), name.replace(/\.gz$/, ''));
        await call('POST', `projects/${project.id as number}/source-maps`, form);
      }
    }
    const groups: [bug: string, group: string][] = [];
    for (const record of records.filter((one) => one.bundler === bundler)) {
      const response = await call('POST', 'errors', { ...reportOf(record), project_api_key: project.api_key });
      groups.push([record.bug_id, String(response.error_group_id)]);
    }
    const together = pairs(groups.map(([, group]) => group));
    const right = pairs(groups.map((both) => both.join(' ')));
    const precision = right / together;
    const recall = right / pairs(groups.map(([bug]) => bug));
    console.log(`${bundler}: precision ${precision.toFixed(3)}, recall ${recall.toFixed(3)}`);
    expect((2 * precision * recall) / (precision + recall)).toBeGreaterThan(0.94);
  });
});

/** Returns the report that the SDK sends for an error, without the fields that only the corpus has. */
function reportOf({
  mechanism,
  value_type,
  event_message,
  message,
  filename,
  lineno,
  colno,
  ...record
}: Captured): object {
  const { name, stack, cause, errors, release, url, user_agent } = record;
  const value = value_type === 'error' ? { name, message, stack, cause, errors } : null;
  const errorEvent = { message: event_message ?? message, filename, lineno, colno, error: value };
  const event = { eventPhase: 2, ...(mechanism === 'unhandledrejection' ? { reason: value } : errorEvent) };
  const { value: thrown, frame } = unwrapEvent(event);
  const { type, message: text, stacktrace } = errorToReport(thrown, frame, String, readHead(thrown, String));
  return { type, message: text, stacktrace, release, url, user_agent };
}

/** Returns the number of pairs of equal keys. */
function pairs(keys: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts.values()].reduce((sum, count) => sum + (count * (count - 1)) / 2, 0);
}

function unpacked(path: string): string {
  return gunzipSync(readFileSync(path)).toString();
}
