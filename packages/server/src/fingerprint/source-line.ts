import { truncate } from '../text/truncate.ts';
import type { GroupedFrame } from './grouped-frame.ts';

/** Of lines that no person wrote, the beginning is enough. */
const maxLineChars = 1_024;
const throwing = /\bthrow\b|\breject\s*\(|\bnew\s+[\w$.]*(?:Error|Exception)\b/;
const errorClass = /\bclass\s+[\w$]+\s+extends\s+[\w$.]*(?:Error|Exception)\b/;

/** The text of the frame's own line, if its source is known. */
export function lineOf(frame: GroupedFrame): string | null {
  return frame.context.find(({ line }) => line === frame.line)?.text ?? null;
}

/** The frame's line and some before it, in one text. Null where no source is known. */
function linesUpTo(frame: GroupedFrame, before: number): string | null {
  if (frame.line === null || frame.context.length === 0) return null;
  const { line: at } = frame;
  const lines = frame.context.filter(({ line }) => line <= at && line >= at - before);
  return lines.length === 0 ? null : lines.map(({ text }) => text).join('\n');
}

/**
 * Whether the code at this frame raises errors itself, at its line or the two before (a long `throw` spans lines).
 * Null where no source is known.
 */
export function throwsItself(frame: GroupedFrame): boolean | null {
  const text = linesUpTo(frame, 2);
  return text === null ? null : throwing.test(text);
}

/** Whether the frame stands in the constructor of an error class, or on the line that declares one. */
export function isInErrorClass(frame: GroupedFrame): boolean {
  const line = lineOf(frame);
  if (line === null) return false;
  if (errorClass.test(line)) return true;
  return /\bsuper\s*\(/.test(line) && errorClass.test(linesUpTo(frame, 5) ?? '');
}

/** Whether a word stands in the source close to the frame. True where no source is known, to contradict it. */
export function isWordNear(word: string, frame: GroupedFrame): boolean {
  const { line: at, context } = frame;
  if (at === null || context.length === 0) return true;
  return context.some(({ line, text }) => Math.abs(line - at) <= 2 && text.includes(word));
}

/** What stands between quotes in the source around a frame. */
export function stringsNear({ context }: GroupedFrame): string {
  return context
    .flatMap(({ text }) => truncate(text, maxLineChars).match(/"[^"]*"|'[^']*'|`[^`]*`?/g) ?? [])
    .join('\n');
}
