import type { GroupedFrame } from './grouped-frame.ts';
import type { GroupingVersion } from './grouping-version.ts';
import { constructorsOf } from './authored-class.ts';
import { callsOf, isBundled, minifiedFiles, stableNameOf, nearestName, urlsOf } from './frame-key.ts';

/** The facts about a stack that the grouping strategies need. */
export interface Calls {
  /** The frames that can become a frame key, top first. */
  readonly all: readonly GroupedFrame[];
  /** The frames of the app. */
  readonly own: readonly GroupedFrame[];
  /** The top frame of the app that is resolved to its original source. */
  readonly source: GroupedFrame | undefined;
  /** The files that a bundler generated. */
  readonly minifiedFiles: ReadonlySet<string | null>;
  /** The top frame of the app in a file that people wrote. */
  readonly readable: GroupedFrame | undefined;
  /** The URLs of the files of the app's frames. */
  readonly urls: readonly string[];
  /** Names that no minifier generated: of the app's top frame, and of the nearest frame that has such a name. */
  readonly topName: string | null;
  readonly nearestName: string | null;
}

interface CachedCalls {
  type: string | null;
  version: GroupingVersion;
  calls: Calls;
}

const callsByFrames = new WeakMap<readonly GroupedFrame[], CachedCalls>();

/**
 * Returns the calls of a stack. Cached by the array of frames: a repeated error has the same array. The frames
 * that construct the error are no calls.
 */
export function readCalls(frames: readonly GroupedFrame[], type: string | null, version: GroupingVersion): Calls {
  let cached = callsByFrames.get(frames);
  if (cached?.type !== type || cached.version !== version) {
    const constructors = version === 1 ? 0 : constructorsOf(type, frames);
    cached = { type, version, calls: describeCalls(callsOf(frames, constructors, version), version) };
    callsByFrames.set(frames, cached);
  }
  return cached.calls;
}

/** Returns the facts about calls that have already been selected. */
export function describeCalls(all: readonly GroupedFrame[], version: GroupingVersion): Calls {
  const own = all.filter((frame) => frame.in_app);
  const minified = minifiedFiles(own);
  return {
    all,
    own,
    source: own.find((frame) => frame.resolved),
    minifiedFiles: minified,
    readable: own.find((frame) => !isBundled(frame, minified)),
    urls: urlsOf(own),
    topName: own[0] ? stableNameOf(own[0]) : null,
    nearestName: nearestName(own, version),
  };
}
