import { limits, truncationMark, type Truncated } from '@service/protocol';
import { truncateText } from './truncate-text.ts';

/**
 * Returns a stack trace within its limits. Truncates long lines, then drops the middle, which is the least useful part:
 * the error occurred at the top and was triggered at the end.
 */
export function truncateStacktrace(stacktrace: string, truncated: Truncated): string {
  if (isStacktraceWithinLimits(stacktrace)) return stacktrace;
  const fitted = dropMiddleLines(stacktrace.split('\n').map((line) => truncateText(line, limits.stacktraceLineChars)));
  if (fitted !== stacktrace) truncated.stacktrace = stacktrace.length;
  return fitted;
}

function dropMiddleLines(lines: readonly string[]): string {
  const { stacktraceBytes, stacktraceLines, stacktraceHeadLines, stacktraceTailLines } = limits;
  const chosen =
    lines.length <= stacktraceLines
      ? lines
      : [...lines.slice(0, stacktraceHeadLines), truncationMark, ...lines.slice(-stacktraceTailLines)];
  const joined = chosen.join('\n');
  return Buffer.byteLength(joined) <= stacktraceBytes ? joined : dropMiddleBytes(lines);
}

/**
 * Drops bytes from the middle. The end keeps a share of the bytes equal to its share of the lines, plus the bytes that
 * the beginning does not use.
 */
function dropMiddleBytes(lines: readonly string[]): string {
  const { stacktraceBytes, stacktraceLines, stacktraceHeadLines, stacktraceTailLines } = limits;
  const tailBytes = Math.floor((stacktraceBytes * stacktraceTailLines) / stacktraceLines);
  const head = fitting(lines.slice(0, stacktraceHeadLines), stacktraceBytes - tailBytes);
  const tail = fitting(
    lines.slice(head.length).slice(-stacktraceTailLines).toReversed(),
    stacktraceBytes - totalBytes(head),
  );
  return [...head, truncationMark, ...tail.toReversed()].join('\n');
}

/** Returns the first lines that fit into the limit. */
function fitting(lines: readonly string[], limitBytes: number): string[] {
  let bytes = 0;
  const end = lines.findIndex((line) => (bytes += totalBytes([line])) > limitBytes);
  return lines.slice(0, end < 0 ? lines.length : end);
}

/** Counts a newline for each line. */
function totalBytes(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}

function isStacktraceWithinLimits(stacktrace: string): boolean {
  // A text this short cannot exceed any limit.
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
