import { isOfOrigin, noOrigins, originOf, type Origins } from './is-in-app.ts';
import type { ReportFrame } from './report-frame.ts';
import type { StackFrame } from './stack-frame.ts';

interface CachedFrames {
  origin: string | null;
  frames: readonly ReportFrame[];
}

/** The reader gives the same calls as the same objects, and nearly always they come from pages of one origin. */
const cache = new WeakMap<readonly StackFrame[], CachedFrames>();

/**
 * Frames as they are shown and grouped while no source map has told more. `page` is the URL of the page. The same frames
 * may be the same objects: they are only to be read.
 */
export function rawFrames(stack: readonly StackFrame[], page: string | null): readonly ReportFrame[] {
  const origin = page === null ? null : originOf(page);
  let cached = cache.get(stack);
  if (cached?.origin !== origin) {
    cached = { origin, frames: stack.map((raw) => frameOfOrigin(raw, origin, noOrigins)) };
    cache.set(stack, cached);
  }
  return cached.frames;
}

/** One frame as it is shown while no source map has told more. Scripts of `others` are the app's on every page. */
export function rawFrame(raw: StackFrame, page: string | null, others: Origins): ReportFrame {
  return frameOfOrigin(raw, page === null ? null : originOf(page), others);
}

function frameOfOrigin(raw: StackFrame, origin: string | null, others: Origins): ReportFrame {
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
