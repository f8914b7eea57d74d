import type { GroupedFrame } from './grouped-frame.ts';
import { callsOf, isBundled, minifiedFiles, nameOf, nearestName, urlsOf } from './frame-key.ts';

/** What the ladder asks of a stack. */
export interface Calls {
  /** The frames that can be a place, top first. */
  readonly all: readonly GroupedFrame[];
  /** Those of the app. */
  readonly own: readonly GroupedFrame[];
  /** The top one of the app that stands in the original source. */
  readonly source: GroupedFrame | undefined;
  /** Files that a bundler wrote. */
  readonly minified: ReadonlySet<string | null>;
  /** The top one of the app that stands in a file people wrote. */
  readonly readable: GroupedFrame | undefined;
  /** Of the files of those of the app. */
  readonly urls: readonly string[];
  /** Names that no minifier made: of the top one of the app, and of the nearest one that has such a name. */
  readonly topName: string | null;
  readonly nearestName: string | null;
}

const known = new WeakMap<readonly GroupedFrame[], Calls>();

/** The calls of a stack, worked out once for the same frames: a bug that strikes again brings them again. */
export function readCalls(frames: readonly GroupedFrame[]): Calls {
  let calls = known.get(frames);
  if (!calls) known.set(frames, (calls = sortCalls(callsOf(frames))));
  return calls;
}

/** What there is to ask of calls that are chosen already. */
export function sortCalls(all: readonly GroupedFrame[]): Calls {
  const own = all.filter((frame) => frame.in_app);
  const minified = minifiedFiles(own);
  return {
    all,
    own,
    source: own.find((frame) => frame.resolved),
    minified,
    readable: own.find((frame) => !isBundled(frame, minified)),
    urls: urlsOf(own),
    topName: own[0] ? nameOf(own[0]) : null,
    nearestName: nearestName(own),
  };
}
