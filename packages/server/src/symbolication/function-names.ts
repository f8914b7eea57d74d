import { LRUCache } from 'lru-cache';
import { StandbyProcess } from './standby-process.ts';
import { workerFile } from './worker-file.ts';
import type { FunctionsRequest } from './functions/function-names-worker.ts';
import { functionAt, packedBytes, type PackedFunctions } from './functions/function-table.ts';
import { sourceKind, type SourceKind } from './functions/source-kind.ts';
import type { SourceText } from './source-text.ts';
import { Semaphore } from './semaphore.ts';

/** The largest sources that people write have half as many; what is larger is a bundle that has no names to tell. */
const maxBytes = 2 * 1024 * 1024;
/** What is known of the functions of a source takes a tenth of what the source does. */
const cachedBytes = 8 * 1024 * 1024;
/** No source of that size takes so long, unless the process hangs. */
const timeoutMs = 20_000;
const idleMs = 30_000;
/** That the process died of a source may have been the machine's fault. */
const failureMs = 10 * 60_000;
/** What systems give the first thread of a process is 8 MB. `maxDepth` of the parser is chosen for it. */
const stackKilobytes = 3_900;
const nodeFlags = ['--max-old-space-size=384', '--max-semi-space-size=4', `--stack-size=${stackKilobytes}`];

/** Names of functions, read in the sources themselves: what maps and browsers tell of them is the minifier's. */
export interface FunctionNames {
  /**
   * The function at a place of a source, line from 1, column from 0: its qualified name; null if it has none there, or
   * stands in none; undefined if this can't be told of this source. At once if the source is known already. Rejects as
   * its text does.
   */
  nameAt(
    source: SourceText,
    line: number,
    column: number,
  ): string | null | undefined | Promise<string | null | undefined>;
  close(): Promise<void>;
}

/** That nothing can be told of a source is known, too: to find out again would take as long. */
const unreadable: PackedFunctions = {
  names: [],
  lines: new Uint32Array(),
  columns: new Uint32Array(),
  functions: new Int32Array(),
};

/** Calls `warn` when a source could not be read because the process that reads it died or hung. */
export function openFunctionNames(warn: (error: unknown, source: SourceText) => void): FunctionNames {
  const cache = new LRUCache<string, PackedFunctions>({ maxSize: cachedBytes, sizeCalculation: packedBytes });
  const pending = new Map<string, Promise<PackedFunctions | null>>();
  const semaphore = new Semaphore(1);
  const parser = new StandbyProcess(workerFile('function-names-worker'), { idleMs, nodeFlags });
  let isClosed = false;
  return {
    nameAt(source, line, column) {
      const kind = sourceKind(source.file);
      if (kind === null || source.bytes > maxBytes) return undefined;
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

  /** Frames of one stack often stand in one source. */
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
      const functions = await parser.ask<PackedFunctions | null>(request, timeoutMs);
      // Of what is too large to be kept nothing is told: it would be read anew for every report.
      const packed = functions === null || packedBytes(functions) > cachedBytes ? unreadable : functions;
      cache.set(key, packed);
      return packed;
    } catch (error) {
      if (!isClosed) warn(error, source);
      // What it died of, it would die of again.
      cache.set(key, unreadable, { ttl: failureMs });
      return unreadable;
    }
  }
}

function nameIn(packed: PackedFunctions, line: number, column: number): string | null | undefined {
  return packed === unreadable ? undefined : functionAt(packed, line, column);
}
