import type { ContextLine } from '@service/protocol';
import { isInAppOfOrigin } from './is-in-app.ts';
import { noOrigins, originOf, type Origins } from './url-origin.ts';
import type { ReportFrame } from './report-frame.ts';
import type { StackFrame } from './stack-frame.ts';

interface CachedFrames {
  origin: string | null;
  frames: readonly ReportFrame[];
}

/**
 * Frames by parsed stack. `parseStack` returns equal stacks as the same objects, and most come from pages of one
 * origin.
 */
const rawFramesByStack = new WeakMap<readonly StackFrame[], CachedFrames>();

/**
 * Returns the frames of a stack without source maps, as they are shown and grouped. `page` is the URL of the page.
 * Calls may return the same objects: callers must not modify them.
 */
export function rawFrames(stack: readonly StackFrame[], page: string | null): readonly ReportFrame[] {
  const origin = page === null ? null : originOf(page);
  let cached = rawFramesByStack.get(stack);
  if (cached?.origin !== origin) {
    cached = { origin, frames: stack.map((raw) => frameOfOrigin(raw, origin, noOrigins)) };
    rawFramesByStack.set(stack, cached);
  }
  return cached.frames;
}

/** Returns one frame without source maps. Scripts of the origins in `others` belong to the app on every page. */
export function rawFrame(raw: StackFrame, page: string | null, others: Origins): ReportFrame {
  return frameOfOrigin(raw, page === null ? null : originOf(page), others);
}

function frameOfOrigin(raw: StackFrame, origin: string | null, others: Origins): ReportFrame {
  const { context = noContext } = raw;
  const frame: ReportFrame = {
    function: raw.function,
    file: raw.file,
    line: raw.line,
    column: raw.column,
    // A client knows where its libraries are, but not the origins of this project.
    in_app: raw.in_app === undefined || isWebFile(raw) ? isInAppOfOrigin(raw.file, origin, others) : raw.in_app,
    resolved: context.length > 0,
    context: context as ContextLine[],
    raw,
  };
  if (raw.module !== undefined) frame.module = raw.module;
  if (raw.sentContext !== undefined) frame.sent_context = raw.sentContext as ContextLine[];
  if (raw.variables !== undefined) frame.variables = raw.variables;
  return frame;
}

const noContext: readonly ContextLine[] = [];

function isWebFile({ file }: StackFrame): boolean {
  return file !== null && originOf(file) !== null;
}
