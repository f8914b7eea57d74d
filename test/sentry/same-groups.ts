import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gunzipSync } from 'node:zlib';
import type { Accepted } from '@service/protocol';
import { errorToReport, readHead } from '../../packages/browser/src/error-to-report.ts';
import { eventToReport } from '../../packages/server/src/sentry-intake/event-to-report.ts';
import { startTestServer } from './test-server.ts';

const captured = fileURLToPath(new URL('../../benchmarks/corpus/captured/', import.meta.url));

type CapturedError = {
  name: string;
  message: string;
  stack: string | null;
  cause?: CapturedError;
  errors?: CapturedError[];
};

/** An error captured in a browser. */
type Captured = CapturedError & {
  bundler: string;
  release: string;
  minified: boolean;
  value_type: string;
  url: string;
};

/** The functions of `@sentry/browser` and `@sentry/core` that read errors. */
interface SentryParser {
  defaultStackParser: unknown;
  exceptionFromError(parser: unknown, error: Error): object;
  applyAggregateErrorsToEvent(...args: unknown[]): void;
}

interface Compared {
  reports: number;
  differences: { native: string; sentry: string; stack: string }[];
}

/**
 * Sends captured errors as our SDK reads them, and as Sentry's parser does, and compares the fingerprints. Uses one in
 * `everyNth` errors.
 */
export async function compareGroups({
  withMaps,
  bundler,
  everyNth,
}: {
  withMaps: boolean;
  bundler: string;
  everyNth: number;
}): Promise<Compared> {
  const parser = loadParser();
  const server = await startTestServer();
  try {
    const { api_key: apiKey } = await server.call<{ api_key: string }>('GET', 'projects/1');
    if (withMaps) for (const form of mapForms(bundler)) await server.call('POST', 'projects/1/source-maps', form);
    const compared: Compared = { reports: 0, differences: [] };
    for (const record of recordsOf(bundler).filter((_, index) => index % everyNth === 0)) {
      const { release, url, stack } = record;
      const error = toError(record);
      const origin = { apiKey, eventId: crypto.randomUUID(), sentAt: null, receivedAt: 0 };
      const bodies = [
        { ...errorToReport(error, undefined, String, readHead(error, String)), release, url, project_api_key: apiKey },
        eventToReport(eventOf(parser, record), origin).whole(),
      ];
      const [native = '', sentry = ''] = await Promise.all(
        bodies.map(async (body) => (await server.call<Accepted>('POST', 'errors', body)).fingerprint),
      );
      compared.reports++;
      if (native !== sentry) compared.differences.push({ native, sentry, stack: stack ?? '' });
    }
    return compared;
  } finally {
    await server.close();
  }
}

/** Loads the functions. `@sentry/core` is a dependency of `@sentry/browser`, and not of this repository. */
function loadParser(): SentryParser {
  const require = createRequire(import.meta.url);
  const browser = require('@sentry/browser') as object;
  const core = createRequire(require.resolve('@sentry/browser'))('@sentry/core') as object;
  return { ...core, ...browser } as SentryParser;
}

function recordsOf(bundler: string): Captured[] {
  return unpacked(join(captured, 'records.jsonl.gz'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Captured)
    .filter((record) => record.bundler === bundler && record.minified && record.value_type === 'error');
}

function* mapForms(bundler: string): Generator<FormData> {
  const maps = join(captured, 'maps/ferry', bundler);
  for (const release of readdirSync(maps))
    for (const name of readdirSync(join(maps, release))) {
      const form = new FormData();
      form.set('release', release);
      form.set('file', new Blob([unpacked(join(maps, release, name))]), name.replace(/\.gz$/, ''));
      yield form;
    }
}

function toError({ name, message, stack, cause, errors }: CapturedError): Error {
  const error = errors ? new AggregateError(errors.map(toError), message) : new Error(message);
  return Object.defineProperties(error, {
    name: { value: name },
    stack: { value: stack ?? '' },
    ...(cause && { cause: { value: toError(cause) } }),
  });
}

/** Reads an error as the SDK of Sentry does. */
function eventOf(parser: SentryParser, record: Captured): Record<string, unknown> {
  const error = toError(record);
  const event = {
    platform: 'javascript',
    release: record.release,
    request: { url: record.url },
    exception: { values: [parser.exceptionFromError(parser.defaultStackParser, error)] },
  };
  parser.applyAggregateErrorsToEvent(parser.exceptionFromError, parser.defaultStackParser, 'cause', 5, event, {
    originalException: error,
  });
  return event;
}

function unpacked(path: string): string {
  return gunzipSync(readFileSync(path)).toString();
}
