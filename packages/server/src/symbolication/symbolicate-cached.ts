import { LRUCache } from 'lru-cache';
import type { SymbolicationContext } from './symbolication-context.ts';
import { originOf } from '../stack/url-origin.ts';
import { rawFrames } from '../stack/raw-frames.ts';
import type { ReportFrame } from '../stack/report-frame.ts';
import type { StackFrame } from '../stack/stack-frame.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { recordMapUsage } from './record-map-usage.ts';
import { originsOfFrames, ownOrigins, type OwnOrigins } from './own-origins.ts';
import { symbolicateStack, type BuildFacts, type ResolvedFrame } from './symbolicate-stack.ts';

/** A stack in the original source. */
export interface Symbolicated {
  /** Calls may return the same objects: callers must not modify them. */
  readonly frames: readonly ReportFrame[];
  /** The map that resolved each frame, or null. */
  readonly mapOfFrame: readonly (SourceMapRecord | null)[];
  readonly usedMaps: readonly SourceMapRecord[];
  /** The own origins of the project that make one of its frames the app's. */
  readonly origins: OwnOrigins;
  /** True if a map that matches a frame is damaged. */
  readonly isDamaged: boolean;
}

/**
 * Resolves frames to the original source where uploaded maps allow it. Other frames stay as reported. Never rejects
 * because of a bad map. Rejects with `storage_unavailable` or `overloaded` if a map cannot be read now, because the
 * same stack would be grouped differently the next time.
 */
export async function symbolicateCached(
  context: SymbolicationContext,
  stack: readonly StackFrame[],
  build: BuildFacts,
): Promise<Symbolicated> {
  const uploaded = context.store.model.mapsOf(build.projectId);
  if (uploaded.length === 0 || stack.length === 0) return unsymbolicated(stack, build.url);
  const facts = factsOf(build);
  const renames = context.store.model.renamesOf(build.projectId);
  let known = recent.get(stack);
  if (known?.uploaded !== uploaded || known.renames !== renames || known.facts !== facts) {
    const resolved = await symbolicateStack(context, stack, build);
    for (const { outcome } of resolved) if (outcome.kind === 'unknown') throw outcome.error;
    const mapOfFrame = resolved.map(mapOf);
    const usedMaps = [...new Set(mapOfFrame.filter((map) => map !== null))];
    const isDamaged = resolved.some(({ outcome }) => outcome.kind === 'damaged map');
    const frames = resolved.map(({ frame }) => frame);
    const origins = originsOfFrames(ownOrigins(uploaded), frames, build.url);
    known = { uploaded, renames, facts, frames, mapOfFrame, usedMaps, origins, isDamaged };
    // A map that is damaged now may be replaced or readable later, and late names may be known later.
    if (!isDamaged && !frames.some(({ isNameLate }) => isNameLate)) recent.set(stack, known);
  }
  recordMapUsage(context, known.usedMaps);
  return known;
}

/** Returns a stack as the browser reported it. `page` is the URL of the page. */
export function unsymbolicated(stack: readonly StackFrame[], page: string | null): Symbolicated {
  return { frames: rawFrames(stack, page), mapOfFrame: [], usedMaps: [], origins: noOwnOrigins, isDamaged: false };
}

const noOwnOrigins: OwnOrigins = new Map();

/** A recently resolved stack. */
interface CachedStack extends Symbolicated {
  uploaded: readonly SourceMapRecord[];
  renames: ReadonlyMap<string, string>;
  /** The facts about the build, as text. */
  facts: string;
}

/**
 * Returns the facts about a build as text. They are equal for all stacks of a report: that of the error, and those of
 * its causes.
 */
function factsOf(build: BuildFacts): string {
  let facts = factsOfBuilds.get(build);
  if (facts === undefined) {
    facts = JSON.stringify([build.release, build.url && originOf(build.url), build.debugIds]);
    factsOfBuilds.set(build, facts);
  }
  return facts;
}

const factsOfBuilds = new WeakMap<BuildFacts, string>();

/**
 * Resolved stacks by parsed stack: `parseStack` returns equal stacks as the same object. They expire because a function
 * name that was unknown at first may be known later.
 */
const recent = new LRUCache<readonly StackFrame[], CachedStack>({
  max: 2_000,
  maxSize: 4 * 1024 * 1024,
  ttl: 60_000,
  sizeCalculation: ({ frames, facts }) => frames.reduce((sum, frame) => sum + frameSize(frame), facts.length * 2 + 200),
});

/** The approximate size in memory. */
function frameSize({ context }: ReportFrame): number {
  return context.reduce((sum, { text }) => sum + text.length * 2, 400);
}

function mapOf({ outcome: { kind, candidates } }: ResolvedFrame): SourceMapRecord | null {
  return kind === 'resolved' ? (candidates[0]?.map ?? null) : null;
}
