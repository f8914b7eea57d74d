import type { Frame } from '@service/protocol';
import { isInApp } from './is-in-app.ts';
import type { StackFrame } from './stack-frame.ts';

/** The frame as it is shown and grouped while no source map has told more. `page` is the URL of the page. */
export function frameAsTold(raw: StackFrame, page: string | null): Frame & { raw: StackFrame } {
  return {
    function: raw.function,
    file: raw.file,
    line: raw.line,
    column: raw.column,
    in_app: isInApp(raw, page),
    resolved: false,
    context: [],
    raw,
  };
}
