import { limits, truncationMark, type Truncated } from '@service/protocol';
import { cutText, cutTextBytes } from './cut-text.ts';

/** A stack trace within its limits: long lines cut, the middle of many lines left out, then the end of what is still too large. */
export function cutStacktrace(stacktrace: string, truncated: Truncated): string {
  if (isWithinLimits(stacktrace)) return stacktrace;
  const lines = stacktrace.split('\n').map((line) => cutText(line, limits.stacktraceLineChars));
  const kept =
    lines.length <= limits.stacktraceLines
      ? lines
      : [...lines.slice(0, limits.stacktraceHeadLines), truncationMark, ...lines.slice(-limits.stacktraceTailLines)];
  const cut = cutTextBytes(kept.join('\n'), limits.stacktraceBytes);
  if (cut !== stacktrace) truncated.stacktrace = stacktrace.length;
  return cut;
}

function isWithinLimits(stacktrace: string): boolean {
  // Anything this short can break no limit.
  if (stacktrace.length <= limits.stacktraceLines) return true;
  if (Buffer.byteLength(stacktrace) > limits.stacktraceBytes) return false;
  let lines = 1;
  for (let start = 0; ; lines++) {
    const end = stacktrace.indexOf('\n', start);
    if ((end < 0 ? stacktrace.length : end) - start > limits.stacktraceLineChars) return false;
    if (end < 0) return lines <= limits.stacktraceLines;
    start = end + 1;
  }
}
