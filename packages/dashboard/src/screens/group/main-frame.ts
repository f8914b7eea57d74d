import type { Frame } from '@service/protocol';
import { sourceLinesOf } from './source-lines-of.ts';

/** Returns the frame to look at first: one of the app with source, else one of the app, else the top frame. */
export function mainFrame(frames: readonly Frame[]): Frame | undefined {
  return (
    frames.find((frame) => frame.in_app && sourceLinesOf(frame)[0]) ?? frames.find(({ in_app }) => in_app) ?? frames[0]
  );
}
