import type { Frame } from '@service/protocol';

/** Frames that follow each other, by their places in the stack. */
export interface FrameRun {
  indexes: number[];
  /** Calls inside of libraries, which are shown on demand. */
  isLibrary: boolean;
}

/**
 * Puts neighbouring library frames together, at least two of them. The first frame stays visible, since the error was
 * thrown there. A stack without a frame of the app has nothing to hide behind, so all of its frames stay.
 */
export function foldFrames(frames: readonly Frame[]): FrameRun[] {
  const runs: FrameRun[] = [];
  const hasApp = frames.some(({ in_app }) => in_app);
  for (const [index, { in_app }] of frames.entries()) {
    const isLibrary = hasApp && !in_app && index > 0;
    const last = runs.at(-1);
    if (isLibrary && last?.isLibrary) last.indexes.push(index);
    else runs.push({ indexes: [index], isLibrary });
  }
  return runs.map((run) => ({ ...run, isLibrary: run.indexes.length > 1 }));
}
