import { normalizePath } from '../fingerprint/file-path.ts';
import { isInFile, sourceFrameKey } from '../fingerprint/frame-key.ts';
import { ProblemError } from '../problem.ts';
import type { SymbolicationContext } from './symbolication-context.ts';
import { rawFrame } from '../stack/raw-frames.ts';
import type { ReportFrame } from '../stack/report-frame.ts';
import { isInApp } from '../stack/is-in-app.ts';
import type { Origins } from '../stack/url-origin.ts';
import type { StackFrame } from '../stack/stack-frame.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { isOfOtherBuild, mapLookup, type Candidate, type MapLookup } from './map-lookup.ts';
import { DamagedIndexError } from './map-index/damaged-index-error.ts';
import { late, namesDeadline, type FunctionName } from './function-names.ts';
import { markAwaitingCallers } from './awaiting-callers.ts';
import { callsParameter, elidedCallee, passedCallOf, type Callee } from './elided-callee.ts';
import type { MapSource, OriginalPosition, OutsideMap } from './map-reader.ts';
import { ownOrigins } from './own-origins.ts';
import type { SourceText } from './source-text.ts';

/** The facts of a report that identify the build of its frames. */
export interface BuildFacts {
  projectId: number;
  release: string | null;
  debugIds: Record<string, string>;
  /** The URL of the page. */
  url: string | null;
  /** Until when to wait for names of functions. See `FunctionNames`. Default: as long as a report waits. */
  namesUntil?: number;
  /** True if only positions are needed: reading names of functions takes far longer than finding a position. */
  withoutNames?: boolean;
}

/** The outcome of resolving a frame, with the maps that match it. */
type FrameOutcome = { readonly candidates: readonly Candidate[] } & (
  | { readonly kind: 'resolved'; readonly source: SourceText | null }
  /** The frame has no file, line or column. */
  | { readonly kind: 'no location' }
  | { readonly kind: 'no map' }
  /** All maps with the name of the file are of other builds than `debugId`. */
  | { readonly kind: 'other build'; readonly map: SourceMapRecord; readonly debugId: string }
  | { readonly kind: 'damaged map' }
  /** The map has no source for the position. */
  | { readonly kind: 'outside of map'; readonly lines: number }
  /** The storage failed, so the outcome is unknown. */
  | { readonly kind: 'unknown'; readonly error: ProblemError }
);

export interface ResolvedFrame {
  frame: ReportFrame;
  outcome: FrameOutcome;
}

/** The facts from the uploaded maps of a project. */
interface ProjectFacts {
  maps: MapLookup;
  origins: Origins;
}

/** The number of looked-up frames after which the event loop may run other work. */
const framesPerYield = 16;

/** Resolves a stack with the current maps and returns the outcome of each frame. Never rejects because of a bad map. */
export async function symbolicateStack(
  context: SymbolicationContext,
  stack: readonly StackFrame[],
  build: BuildFacts,
): Promise<ResolvedFrame[]> {
  const uploaded = context.store.model.mapsOf(build.projectId);
  const project: ProjectFacts = { maps: mapLookup(uploaded), origins: ownOrigins(uploaded) };
  const resolved: ResolvedFrame[] = [];
  const namesUntil = build.namesUntil ?? namesDeadline();
  let lookedUp = 0;
  for (const raw of stack) {
    const frame = resolveFrame(context, project, raw, { build, namesUntil });
    resolved.push(frame instanceof Promise ? await frame : frame);
    if (frame instanceof Promise && ++lookedUp % framesPerYield === 0) await new Promise(setImmediate);
  }
  markAwaitingCallers(resolved.map(({ frame }) => frame));
  return build.withoutNames ? resolved : withCallee(context, resolved, build);
}

/** The maximum number of nested helpers that call their parameter. */
const maxHelpers = 3;

/** Adds the elided callee. Only the top frame of the app can have one. */
async function withCallee(
  context: SymbolicationContext,
  stack: ResolvedFrame[],
  build: BuildFacts,
): Promise<ResolvedFrame[]> {
  const own = stack.filter(({ frame }) => frame.in_app && isInFile(frame) && !frame.raw.async);
  const [top] = own;
  if (top?.outcome.kind !== 'resolved') return stack;
  const at = stack.indexOf(top);
  try {
    const callee = await calleeOf(context, own);
    if (callee === null) return stack;
    const file = context.store.model.renamesOf(build.projectId).get(callee.file) ?? callee.file;
    return stack.with(at, { ...top, frame: { ...top.frame, callee: { ...callee, file } } });
  } catch (error) {
    // `MapReader` has already logged the damage.
    if (!(error instanceof ProblemError)) return stack;
    return stack.with(at, { ...top, outcome: { kind: 'unknown', error, candidates: top.outcome.candidates } });
  }
}

/**
 * Returns the function that the top frame calls if the engine elided its frame. If the top frame calls its parameter,
 * as a helper that measures some work does, the elided function is a callback of its caller, or is called by that
 * callback.
 */
async function calleeOf(context: SymbolicationContext, own: readonly ResolvedFrame[]): Promise<Callee | null> {
  for (const [depth, { frame, outcome }] of own.slice(0, maxHelpers + 1).entries()) {
    if (outcome.kind !== 'resolved' || outcome.source === null) return null;
    const [served] = outcome.candidates;
    if (!served) return null;
    const sources = (): Promise<readonly MapSource[]> => context.mapReader.sourcesOf(served.map);
    if (await callsParameter(frame, outcome.source)) continue;
    const call = depth === 0 ? frame : passedCallOf(frame);
    const callee = call && (await elidedCallee(call, outcome.source, sources));
    return callee ?? (depth === 0 ? null : keyOfFrame(frame));
  }
  return null;
}

function keyOfFrame(frame: ReportFrame): Callee {
  const { file, function: name } = sourceFrameKey(frame);
  return { file: file ?? '', function: name ?? '' };
}

function resolveFrame(
  context: SymbolicationContext,
  { maps, origins }: ProjectFacts,
  raw: StackFrame,
  { build, namesUntil }: { build: BuildFacts; namesUntil: number },
): ResolvedFrame | Promise<ResolvedFrame> {
  const { file, line, column } = raw;
  const unresolved = (outcome: FrameOutcome): ResolvedFrame => ({ frame: rawFrame(raw, build.url, origins), outcome });
  if (file === null || line === null || column === null) return unresolved({ kind: 'no location', candidates: [] });
  const debugId = debugIdOf(file, build.debugIds);
  const all = maps.candidates(file, build.release, debugId);
  const candidates = all.filter(({ map }) => !isOfOtherBuild(map, debugId));
  const [chosen] = candidates;
  if (!chosen) {
    const [other] = all;
    if (!other || debugId === null) return unresolved({ kind: 'no map', candidates: all });
    return unresolved({ kind: 'other build', map: other.map, debugId, candidates: all });
  }
  const resolvedTo = (position: OriginalPosition | OutsideMap): ResolvedFrame | Promise<ResolvedFrame> => {
    if (position.file === null) return unresolved({ kind: 'outside of map', lines: position.lines, candidates });
    const outcome: FrameOutcome = { kind: 'resolved', source: position.source, candidates };
    const isOfApp = !position.isIgnored && isInApp(position, build.url, origins);
    const withName = (name: FunctionName): ResolvedFrame => {
      const frame = toReportFrame(raw, position, name, isOfApp);
      if (frame.named && position.source && context.functionNames.isCostly(position.source)) frame.isNameCostly = true;
      return { frame: withOldestPath(context, build, frame), outcome };
    };
    const { source, line: at, column: from } = position;
    const name =
      source && !build.withoutNames ? context.functionNames.nameAt(source, at, from - 1, namesUntil) : undefined;
    return name instanceof Promise ? name.then(withName) : withName(name);
  };
  const failed = (error: unknown): ResolvedFrame => {
    if (error instanceof ProblemError) return unresolved({ kind: 'unknown', error, candidates });
    // `MapReader` has already logged the damage.
    if (!(error instanceof DamagedIndexError))
      context.log.error({ err: error, source_map_id: chosen.map.id }, 'a frame could not be resolved');
    return unresolved({ kind: 'damaged map', candidates });
  };
  const position = context.mapReader.locate(chosen.map, line, column);
  if (position instanceof Promise) return position.then(resolvedTo).catch(failed);
  const frame = resolvedTo(position);
  return frame instanceof Promise ? frame.catch(failed) : frame;
}

function toReportFrame(
  raw: StackFrame,
  { file, line, column, context }: OriginalPosition,
  name: FunctionName,
  in_app: boolean,
): ReportFrame {
  const frame: ReportFrame = { function: raw.function, file, line, column, in_app, resolved: true, context, raw };
  if (name === late) return { ...frame, isNameLate: true };
  // A name from the source is correct, even if it is null.
  return name === undefined ? frame : { ...frame, function: name, named: true };
}

function withOldestPath({ store }: SymbolicationContext, { projectId }: BuildFacts, frame: ReportFrame): ReportFrame {
  const renames = store.model.renamesOf(projectId);
  const oldestPath = renames.size === 0 ? undefined : renames.get(normalizePath(frame.file ?? ''));
  return oldestPath === undefined ? frame : { ...frame, oldestPath };
}

/** Clients choose the names of files: `constructor` must not find an inherited property. */
function debugIdOf(file: string, debugIds: Record<string, string>): string | null {
  return Object.hasOwn(debugIds, file) ? (debugIds[file] ?? null) : null;
}
