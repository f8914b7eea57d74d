import { LRUCache } from 'lru-cache';
import { StandbyProcess } from './workers/standby-process.ts';
import { workerFile } from './workers/worker-file.ts';
import type { FunctionsRequest } from './functions/function-names-worker.ts';
import { functionAt, packedSize, type PackedFunctions } from './functions/function-table.ts';
import { sourceKind, type SourceKind } from './functions/source-kind.ts';
import type { SourceText } from './source-text.ts';
import { Semaphore } from '../jobs/semaphore.ts';

/** The largest hand-written sources have half of this size. Larger files are bundles, whose names are minified. */
const maxParsedBytes = 2 * 1024 * 1024;
/** The table of a source's functions takes a tenth of its text. */
const cachedBytes = 8 * 1024 * 1024;
/** No source of the maximum size takes this long unless the process hangs. */
const parseTimeoutMs = 20_000;
const processIdleMs = 30_000;
/** A crash of the process may have had other causes than the source, so the source is retried later. */
const failureMs = 10 * 60_000;
/** The first thread of a process has 8 MB of stack. `maxDepth` of the parser is chosen for this value. */
const stackKilobytes = 3_900;
const nodeFlags = ['--max-old-space-size=384', '--max-semi-space-size=4', `--stack-size=${stackKilobytes}`];

/** Names of functions, read from the sources. The names in maps and stacks are minified. */
export interface FunctionNames {
  /**
   * Returns the qualified name of the function at a location, line from 1, column from 0. Returns null if it has no
   * name or the location is outside of functions, and undefined if the source cannot be parsed. Returns synchronously
   * if the source is cached. Rejects as `source.text` does.
   */
  nameAt(
    source: SourceText,
    line: number,
    column: number,
  ): string | null | undefined | Promise<string | null | undefined>;
  close(): Promise<void>;
}

/** The cached result of a source that cannot be parsed: trying again would take the same time. */
const unreadable: PackedFunctions = {
  names: [],
  lines: new Uint32Array(),
  columns: new Uint32Array(),
  functions: new Int32Array(),
};

/** Calls `warn` if a source could not be parsed because the process died or hung. */
export function openFunctionNames(warn: (error: unknown, source: SourceText) => void): FunctionNames {
  const cache = new LRUCache<string, PackedFunctions>({ maxSize: cachedBytes, sizeCalculation: packedSize });
  const pending = new Map<string, Promise<PackedFunctions | null>>();
  const semaphore = new Semaphore(1);
  const parser = new StandbyProcess(workerFile('function-names-worker'), { idleMs: processIdleMs, nodeFlags });
  let isClosed = false;
  return {
    nameAt(source, line, column) {
      const kind = sourceKind(source.file);
      if (kind === null || source.bytes > maxParsedBytes) return undefined;
      const key = `${kind} ${source.hash}`;
      const known = cache.get(key);
      if (known) return nameIn(known, line, column);
      return once(key, source, kind).then((packed) => (packed ? nameIn(packed, line, column) : undefined));
    },
    async close() {
      isClosed = true;
      await parser.close();
    },
  };

  /** Several frames of one stack are often in one source. */
  function once(key: string, source: SourceText, kind: SourceKind): Promise<PackedFunctions | null> {
    let reading = pending.get(key);
    if (!reading) {
      reading = semaphore.run(() => read(key, source, kind), source.projectId).finally(() => pending.delete(key));
      pending.set(key, reading);
    }
    return reading;
  }

  async function read(key: string, source: SourceText, kind: SourceKind): Promise<PackedFunctions | null> {
    const text = await source.text();
    if (text === null) return null;
    const request: FunctionsRequest = { text, kind };
    try {
      const functions = await parser.ask<PackedFunctions | null>(request, parseTimeoutMs);
      // A result too large for the cache is treated as unreadable. Otherwise the source would be parsed for every
      // report.
      const packed = functions === null || packedSize(functions) > cachedBytes ? unreadable : functions;
      cache.set(key, packed);
      return packed;
    } catch (error) {
      if (!isClosed) warn(error, source);
      // The same source would crash the process again.
      cache.set(key, unreadable, { ttl: failureMs });
      return unreadable;
    }
  }
}

function nameIn(packed: PackedFunctions, line: number, column: number): string | null | undefined {
  return packed === unreadable ? undefined : functionAt(packed, line, column);
}
