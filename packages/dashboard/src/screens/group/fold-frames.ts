import type { Frame } from '@service/protocol';

/** Neighbouring frames, by their index in the stack. */
export interface FrameRun {
  indexes: number[];
  /** Library frames, which are hidden at first. */
  isLibrary: boolean;
}

/**
 * Groups neighbouring library frames, at least two of them. The first frame stays visible because the error was thrown
 * there. In a stack without frames of the app, all frames stay visible.
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
