import { LRUCache } from 'lru-cache';
import { LateResponseError, StandbyProcess } from './workers/standby-process.ts';
import { backgroundNiceness } from './workers/priority.ts';
import { workerFile } from './workers/worker-file.ts';
import type { FunctionsRequest, FunctionsResponse } from './functions/function-names-worker.ts';
import { functionAt, packedSize, type PackedFunctions } from './functions/function-table.ts';
import { sourceKind, type SourceKind } from './functions/source-kind.ts';
import type { SourceText } from './source-text.ts';
import { Semaphore } from '../jobs/semaphore.ts';

/** The largest hand-written sources have half of this size. Larger files are bundles, whose names are minified. */
const maxParsedBytes = 2 * 1024 * 1024;
/** The table of a source's functions takes a tenth of its text. */
const cachedBytes = 8 * 1024 * 1024;
/** The maximum CPU time of a source in the quick process. After that the source is moved to the slow process. */
const turnMs = 200;
/** The same limit in real time, for a source at which the parser does not stop: the process is killed. */
const maxTurnMs = 2_000;
/** No source of the maximum size takes this much CPU time, or on a busy machine this long, unless the parser hangs. */
const parseCpuMs = 20_000;
const parseTimeoutMs = 60_000;
/** A source that took this long may take longer than a report waits the next time. */
const costlyMs = 100;
const maxCostly = 10_000;
/** How long a report waits for the names of slow sources. */
const maxWaitMs = 1_000;
/** How much longer a report waits for the turn of a source that is not known to be slow. */
const maxExtraWaitMs = 7_000;
/** Sources of one team that wait. Reports do not wait for further ones. */
const maxWaitingOfTeam = 200;
const processIdleMs = 30_000;
/** A crash of the process may have had other causes than the source, so the source is retried later. */
const failureMs = 10 * 60_000;
/** The first thread of a process has 8 MB of stack. `maxSyntaxDepth` of the parser is chosen for this value. */
const stackKilobytes = 3_900;
const nodeFlags = ['--max-old-space-size=384', '--max-semi-space-size=4', `--stack-size=${stackKilobytes}`];

/** The name of a function could not be read in time. */
export const late = Symbol('late');
/** A name, null if the function has none, undefined if its source cannot be parsed, or `late`. */
export type FunctionName = string | null | undefined | typeof late;

/** Returns until when a report that arrives now waits for names: milliseconds of `performance.now()`. */
export function namesDeadline(): number {
  return performance.now() + maxWaitMs;
}

/** Names of functions, read from the sources. The names in maps and stacks are minified. */
export interface FunctionNames {
  /**
   * Returns the qualified name of the function at a position, line from 1, column from 0. Returns null if it has no
   * name or the position is outside of functions. Returns undefined if the source is damaged, too large, not a script
   * or cannot be parsed. Returns `late` if the source is not parsed at the deadline, or some seconds later unless the
   * source is known to be slow; it is then parsed later. Also returns `late` if too many sources of the team wait, and
   * then does not parse the source. Returns synchronously if the source is cached. Rejects as `source.text` does.
   */
  nameAt(source: SourceText, line: number, column: number, deadline?: number): FunctionName | Promise<FunctionName>;
  /** Returns whether the names of a source took so long that they may be late the next time. */
  isCostly(source: SourceText): boolean;
  close(): Promise<void>;
}

export interface FunctionNamesOptions {
  /** Called if a source could not be parsed because the process died or hung. */
  warn(error: unknown, source: SourceText): void;
  /** Teams take turns. */
  teamOf(projectId: number): number;
  /** Called when a source was parsed too late for a report of this project. */
  onLateNames(projectId: number): void;
}

/** The cached result of a source that cannot be parsed: trying again would take the same time. */
const unreadable: PackedFunctions = {
  names: [],
  lines: new Uint32Array(),
  columns: new Uint32Array(),
  functions: new Int32Array(),
};

/** A source that is being parsed, or waits for its turn. */
interface PendingSource {
  parsing: Promise<PackedFunctions | null>;
  /** Resolves once the source has turned out to be slow. */
  foundSlow: Promise<typeof late>;
  /** Projects with a report that did not wait for it. */
  lateFor: Set<number>;
}

/**
 * Parses sources in two processes, one source at a time in each. A source that takes longer than its turn in the quick
 * one is moved to the slow one, so that it delays the sources of other teams by no more than a turn.
 */
export function openFunctionNames({ warn, teamOf, onLateNames }: FunctionNamesOptions): FunctionNames {
  const cache = new LRUCache<string, PackedFunctions>({ maxSize: cachedBytes, sizeCalculation: packedSize });
  /** Sources by what they cost. A slow one does not get another turn in the quick process. */
  const costly = new LRUCache<string, 'costly' | 'slow'>({ max: maxCostly });
  const pending = new Map<string, PendingSource>();
  /** Number of waiting sources by team. */
  const waiting = new Map<number, number>();
  const quick = openLane();
  const slow = openLane(backgroundNiceness);
  let isClosed = false;
  return {
    nameAt(source, line, column, deadline = namesDeadline()) {
      const kind = sourceKind(source.file);
      if (kind === null || source.bytes > maxParsedBytes) return undefined;
      const key = `${kind} ${source.hash}`;
      const known = cache.get(key);
      if (known) return nameIn(known, line, column);
      const found = pending.get(key) ?? begin(key, source, kind);
      if (!found) return late;
      return waitFor(found, deadline).then((packed) => {
        if (packed === late) found.lateFor.add(source.projectId);
        return packed === late || packed === null ? (packed ?? undefined) : nameIn(packed, line, column);
      });
    },
    isCostly: (source) => costly.has(`${sourceKind(source.file)} ${source.hash}`),
    async close() {
      isClosed = true;
      await Promise.all([quick.process.close(), slow.process.close()]);
    },
  };

  /** Starts parsing a source. Returns null if too many of the team wait. */
  function begin(key: string, source: SourceText, kind: SourceKind): PendingSource | null {
    const team = teamOf(source.projectId);
    const count = waiting.get(team) ?? 0;
    if (count >= maxWaitingOfTeam) return null;
    waiting.set(team, count + 1);
    const slowness = new AbortController();
    const foundSlow = new Promise<typeof late>((resolve) => {
      slowness.signal.addEventListener('abort', () => resolve(late));
    });
    const lateFor = new Set<number>();
    const parsing = parse(key, { source, kind, team }, slowness).finally(() => {
      pending.delete(key);
      const left = (waiting.get(team) ?? 1) - 1;
      if (left > 0) waiting.set(team, left);
      else waiting.delete(team);
    });
    const found = { parsing, foundSlow, lateFor };
    pending.set(key, found);
    // A caller that did not wait for a failure must not leave it unhandled.
    parsing.then(
      () => !isClosed && lateFor.forEach(onLateNames),
      () => undefined,
    );
    return found;
  }

  async function parse(
    key: string,
    { source, kind, team }: { source: SourceText; kind: SourceKind; team: number },
    slowness: AbortController,
  ): Promise<PackedFunctions | null> {
    try {
      if (costly.get(key) !== 'slow') {
        const packed = await quick.semaphore.run(() => parseQuickly(key, source, kind), team, source.projectId);
        if (packed !== late) return packed;
      }
      slowness.abort();
      return await slow.semaphore.run(
        () => parseIn(slow, key, { source, kind }, { maxCpuMs: parseCpuMs, limitMs: parseTimeoutMs }),
        team,
        source.projectId,
      );
    } catch (error) {
      if (error instanceof UnreadSourceError) throw error.cause;
      if (!isClosed) warn(error, source);
      // The same source would crash the process again.
      cache.set(key, unreadable, { ttl: failureMs });
      return unreadable;
    }
  }

  /** Resolves with `late` if the source has to be parsed in the slow process. */
  async function parseQuickly(
    key: string,
    source: SourceText,
    kind: SourceKind,
  ): Promise<PackedFunctions | null | typeof late> {
    try {
      return await parseIn(quick, key, { source, kind }, { maxCpuMs: turnMs, limitMs: maxTurnMs });
    } catch (error) {
      if (!(error instanceof LateResponseError)) throw error;
      costly.set(key, 'slow');
      return late;
    }
  }

  async function parseIn(
    { process }: Lane,
    key: string,
    { source, kind }: { source: SourceText; kind: SourceKind },
    { maxCpuMs, limitMs }: { maxCpuMs: number; limitMs: number },
  ): Promise<PackedFunctions | null> {
    const text = await source.text().catch((error: unknown) => {
      throw new UnreadSourceError(error);
    });
    if (text === null) return null;
    const request: FunctionsRequest = { text, kind, maxCpuMs };
    await process.ready(parseTimeoutMs);
    const startedAt = performance.now();
    const functions = await process.ask<FunctionsResponse>(request, limitMs);
    if (functions === 'turn over') throw new LateResponseError('A source takes longer than its turn.');
    if (performance.now() - startedAt >= costlyMs && !costly.has(key)) costly.set(key, 'costly');
    // A result too large for the cache is treated as unreadable. Otherwise the source would be parsed for every
    // report.
    const packed = functions === null || packedSize(functions) > cachedBytes ? unreadable : functions;
    cache.set(key, packed);
    return packed;
  }
}

/** A process that parses, and the order in which teams use it. */
interface Lane {
  process: StandbyProcess;
  semaphore: TeamSemaphore;
}

function openLane(niceness = 0): Lane {
  const options = { idleMs: processIdleMs, nodeFlags, niceness };
  return { process: new StandbyProcess(workerFile('function-names-worker'), options), semaphore: new TeamSemaphore() };
}

/** Teams take turns, and so do the projects of a team. */
class TeamSemaphore {
  readonly #all = new Semaphore(1);
  /** The semaphores of teams that have work. */
  readonly #teams = new Map<number, { semaphore: Semaphore; users: number }>();

  async run<Result>(work: () => Promise<Result>, teamId: number, projectId: number): Promise<Result> {
    const team = this.#teams.get(teamId) ?? { semaphore: new Semaphore(1), users: 0 };
    this.#teams.set(teamId, team);
    team.users++;
    try {
      return await team.semaphore.run(() => this.#all.run(work, teamId), projectId);
    } finally {
      if (--team.users === 0) this.#teams.delete(teamId);
    }
  }
}

/** The storage could not be read, which says nothing about the source. */
class UnreadSourceError extends Error {
  constructor(cause: unknown) {
    super('A source could not be read.', { cause });
  }
}

/** Resolves with the functions, or with `late` at the deadline. A source that may be quick is waited for longer. */
async function waitFor(
  { parsing, foundSlow }: PendingSource,
  deadline: number,
): Promise<PackedFunctions | null | typeof late> {
  const result = await before(parsing, deadline);
  return result === late ? before(Promise.race([parsing, foundSlow]), deadline + maxExtraWaitMs) : result;
}

async function before<Result>(result: Promise<Result>, deadline: number): Promise<Result | typeof late> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<typeof late>((resolve) => {
    timer = setTimeout(() => resolve(late), Math.max(0, deadline - performance.now()));
  });
  try {
    return await Promise.race([result, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function nameIn(packed: PackedFunctions, line: number, column: number): string | null | undefined {
  return packed === unreadable ? undefined : functionAt(packed, line, column);
}
