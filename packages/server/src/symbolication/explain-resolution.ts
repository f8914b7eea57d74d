import type {
  CandidateMap,
  FrameResolution,
  PositionQuery,
  PositionResolution,
  ResolutionDetail,
  ResolutionResult,
} from '@service/protocol';
import { isPython, withoutQuery } from '../fingerprint/file-path.ts';
import { bareName, isMinifiedName } from '../fingerprint/function-name.ts';
import { isBundled, minifiedFiles } from '../fingerprint/frame-key.ts';
import type { SymbolicationContext } from './symbolication-context.ts';
import type { ReportFrame } from '../stack/report-frame.ts';
import type { StackFrame } from '../stack/stack-frame.ts';
import { readablePath } from '../text/readable-path.ts';
import { fileName, firstReleases, mapLookup, type Candidate, type MapLookup } from './map-lookup.ts';
import { similarFiles } from './similar-files.ts';
import { symbolicateStack, type BuildFacts, type ResolvedFrame } from './symbolicate-stack.ts';

const maxNearest = 3;
/** Above this number of names, only those of the newest maps are compared. */
const maxNames = 2_000;
/** The number of frames after which the event loop may run other work. */
const explainedFramesPerYield = 8;
/** Files with these extensions are never minified. */
const sourceFile = /\.(?:tsx?|jsx|mts|cts|vue|svelte)$/i;

/**
 * Returns for each frame of a stack how it was resolved, or why not. Rejects with `storage_unavailable` or `overloaded`
 * if that is unknown.
 */
export async function explainResolution(
  context: SymbolicationContext,
  stack: readonly StackFrame[],
  build: BuildFacts,
): Promise<FrameResolution[]> {
  return explainResolved(context, await symbolicateStack(context, stack, build), build, { assumesMinified: false });
}

/**
 * Resolves one position in a script as if it were a frame of a report, without the name of its function. Rejects with
 * `storage_unavailable` or `overloaded` if the result is unknown.
 */
export async function explainPosition(
  context: SymbolicationContext,
  projectId: number,
  { file, line, column, release, debug_id: debugId }: PositionQuery,
): Promise<PositionResolution> {
  // The script counts as code of the app, like one from the origin of the page.
  const build: BuildFacts = {
    projectId,
    release: release ?? null,
    debugIds: debugId === undefined ? {} : { [file]: debugId },
    url: file,
    withoutNames: true,
  };
  const resolved = await symbolicateStack(context, [{ function: null, file, line, column }], build);
  const [explained] = await explainResolved(context, resolved, build, { assumesMinified: true });
  const { frame, outcome } = resolved[0] as ResolvedFrame;
  const { index: _, ...position } = explained as FrameResolution;
  if (outcome.kind !== 'resolved' || frame.file === null || frame.line === null || frame.column === null)
    return { ...position, original: null };
  const text = frame.context.find((one) => one.line === frame.line)?.text ?? null;
  return { ...position, original: { file: readablePath(frame.file), line: frame.line, column: frame.column, text } };
}

async function explainResolved(
  context: SymbolicationContext,
  resolved: readonly ResolvedFrame[],
  build: BuildFacts,
  options: ReasonOptions,
): Promise<FrameResolution[]> {
  const maps = mapLookup(context.store.model.mapsOf(build.projectId));
  const reasons = new Reasons(maps, build, resolved, options);
  const explained: FrameResolution[] = [];
  for (const [index, { frame, outcome }] of resolved.entries()) {
    if (index % explainedFramesPerYield === explainedFramesPerYield - 1) await new Promise(setImmediate);
    const { file, line, column } = frame.raw;
    explained.push({ index, file, line, column, ...reasons.of(index), maps: outcome.candidates.map(toCandidateMap) });
  }
  return explained;
}

interface Reason {
  result: ResolutionResult;
  detail: ResolutionDetail;
}

interface ReasonOptions {
  /** True if the caller knows that the script is minified. A stack shows it only by its names and positions. */
  assumesMinified: boolean;
}

/** Explains the outcome of each frame. */
class Reasons {
  readonly #maps: MapLookup;
  readonly #build: BuildFacts;
  readonly #frames: readonly ResolvedFrame[];
  readonly #assumesMinified: boolean;
  readonly #minified: ReadonlySet<string | null>;
  readonly #noMaps = new Map<string, Reason>();
  /** Names of maps that could match, and all releases. Both are computed at most once. */
  #names: ReadonlySet<string> | null = null;
  #releases: string[] | null = null;

  constructor(maps: MapLookup, build: BuildFacts, frames: readonly ResolvedFrame[], options: ReasonOptions) {
    this.#assumesMinified = options.assumesMinified;
    this.#maps = maps;
    this.#build = build;
    this.#frames = frames;
    this.#minified = minifiedFiles(frames.map(({ frame }) => frame));
  }

  of(index: number): Reason {
    const { frame, outcome } = this.#frames[index] as ResolvedFrame;
    if (outcome.kind === 'no location' || outcome.kind === 'no map') {
      // The source lines of a resolved frame without a map came with the stack.
      if (frame.resolved) return { result: 'resolved', detail: {} };
      if (isPython(frame.file)) return { result: frame.in_app ? 'not_minified' : 'third_party', detail: {} };
    }
    switch (outcome.kind) {
      case 'resolved':
        if (outcome.source) return { result: 'resolved', detail: {} };
        return { result: 'source_content_missing', detail: { source: readablePath(frame.file ?? '') } };
      case 'no location':
        return { result: 'no_location', detail: {} };
      case 'outside of map':
        return { result: 'position_outside_map', detail: { lines: outcome.lines } };
      case 'damaged map':
        return { result: 'map_invalid', detail: {} };
      case 'other build':
        return {
          result: 'debug_id_mismatch',
          detail: { expected: outcome.debugId, found: outcome.map.debug_id ?? '' },
        };
      case 'unknown':
        throw outcome.error;
      case 'no map':
        return this.#withoutMap(frame);
    }
  }

  #withoutMap(frame: ReportFrame): Reason {
    const file = frame.raw.file ?? '';
    let reason = this.#noMaps.get(file);
    if (!reason) this.#noMaps.set(file, (reason = this.#whyNoMap(file, frame)));
    return reason;
  }

  #whyNoMap(file: string, frame: ReportFrame): Reason {
    const { release } = this.#build;
    // A team that uploaded maps of this file knows that it is minified, and that it is theirs.
    const releases = this.#maps.releasesOf(file);
    if (releases.length > 0) return { result: 'no_map_for_release', detail: { release, releases } };
    if (!frame.in_app) return { result: 'third_party', detail: {} };
    if (!this.#isMinified(file, frame)) return { result: 'not_minified', detail: {} };
    if (this.#maps.all.length === 0) return { result: 'no_maps_in_project', detail: {} };
    const names = (this.#names ??= this.#namesNear());
    if (names.size === 0) {
      const all = (this.#releases ??= firstReleases(this.#maps.all));
      return { result: 'no_map_for_release', detail: { release, releases: all } };
    }
    const name = fileName(withoutQuery(file));
    return { result: 'no_map_for_file', detail: { file: name, nearest: similarFiles(name, names, maxNearest) } };
  }

  #namesNear(): Set<string> {
    const names = new Set<string>();
    for (const { file, release } of this.#maps.all) {
      if (release === null || release === this.#build.release) names.add(file);
      if (names.size === maxNames) break;
    }
    return names;
  }

  /**
   * Returns whether a file is minified: by the lines of it that the client sent, the positions of its frames, its name,
   * and the names of its functions.
   */
  #isMinified(file: string, frame: ReportFrame): boolean {
    if (this.#assumesMinified) return true;
    const sent = this.#frames.flatMap(({ frame: { raw } }) => (raw.file === file ? (raw.sentContext ?? []) : []));
    if (isWrittenByHand(sent.map(({ text }) => text))) return false;
    if (isBundled(frame, this.#minified)) return true;
    if (sourceFile.test(withoutQuery(file))) return false;
    const names = this.#frames.flatMap(({ frame: { raw } }) =>
      raw.file === file ? (bareName(raw.function) ?? []) : [],
    );
    return names.length > 0 && names.every(isMinifiedName);
  }
}

/** Returns whether lines of code are not minified: minifiers write no space after a comma or a semicolon. */
function isWrittenByHand(lines: readonly string[]): boolean {
  const separators = lines.flatMap((text) => `${text}\n`.match(/[,;]\s?/g) ?? []);
  const spaced = separators.filter((one) => one.length > 1);
  return spaced.length > separators.length / 2;
}

function toCandidateMap({ map: { id, file, release, url }, why }: Candidate): CandidateMap {
  return { id, file, release, url, why };
}
