import type { ReportFrame } from '../stack/report-frame.ts';

/** A call, or a template with a tag. */
const callSyntax = /[(`]/;

/**
 * Marks the callers that await in a stack from which the SDK has removed V8's mark, as far as the source shows them.
 * The position of a call is that of the called function, and the position of an await is that of the keyword. If a
 * minifier has moved the await into another statement, that statement calls nothing.
 */
export function markAwaitingCallers(frames: readonly ReportFrame[]): void {
  let isAboveAwait = false;
  for (const frame of frames.toReversed()) {
    if (frame.raw.mayAwait && awaits(frame, isAboveAwait)) frame.raw = { ...frame.raw, async: true };
    isAboveAwait = frame.raw.async === true;
  }
}

function awaits({ line, column, context }: ReportFrame, isAboveAwait: boolean): boolean {
  const code = context.find((each) => each.line === line)?.text.slice((column ?? 1) - 1);
  if (code === undefined) return false;
  return /^await\b/.test(code) || (isAboveAwait && !callSyntax.test(code));
}
