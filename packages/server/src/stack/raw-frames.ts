import type { Frame } from '@service/protocol';
import { isOfOrigin, noOrigins, originOf, type Origins } from './is-in-app.ts';
import type { StackFrame } from './stack-frame.ts';

/**
 * A frame with the flags of the stack reader. `named`: its function was read in the source itself, and is the truth also
 * when it is null. `oldestPath`: the path by which its file was known first, if it was renamed since. `callee`: the
 * function that it calls, where that would stand above it had the engine kept its frame; its file as that path.
 */
export type RawStackFrame = Frame & {
  raw: StackFrame;
  named?: true;
  oldestPath?: string;
  callee?: { file: string; function: string };
};

interface Told {
  origin: string | null;
  frames: readonly RawStackFrame[];
}

/** The reader gives the same calls as the same objects, and nearly always they come from pages of one origin. */
const known = new WeakMap<readonly StackFrame[], Told>();

/**
 * Frames as they are shown and grouped while no source map has told more. `page` is the URL of the page. The same frames
 * may be the same objects: they are only to be read.
 */
export function rawFrames(stack: readonly StackFrame[], page: string | null): readonly RawStackFrame[] {
  const origin = page === null ? null : originOf(page);
  let told = known.get(stack);
  if (told?.origin !== origin) {
    told = { origin, frames: stack.map((raw) => frameOfOrigin(raw, origin, noOrigins)) };
    known.set(stack, told);
  }
  return told.frames;
}

/** One frame as it is shown while no source map has told more. Scripts of `others` are the app's on every page. */
export function rawFrame(raw: StackFrame, page: string | null, others: Origins): RawStackFrame {
  return frameOfOrigin(raw, page === null ? null : originOf(page), others);
}

function frameOfOrigin(raw: StackFrame, origin: string | null, others: Origins): RawStackFrame {
  return {
    function: raw.function,
    file: raw.file,
    line: raw.line,
    column: raw.column,
    in_app: isOfOrigin(raw.file, origin, others),
    resolved: false,
    context: [],
    raw,
  };
}
