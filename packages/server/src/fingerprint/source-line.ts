import { truncate } from '../text/truncate.ts';
import type { GroupedFrame } from './grouped-frame.ts';

/** Longer lines, which tools generate, are truncated. */
const maxLineChars = 1_024;
const throwing = /\bthrow\b|\breject\s*\(|\bnew\s+[\w$.]*(?:Error|Exception)\b/;
const errorClass = /\bclass\s+[\w$]+\s+extends\s+[\w$.]*(?:Error|Exception)\b/;

/** Returns the text of the frame's line, or null if its source is unknown. */
export function lineOf(frame: GroupedFrame): string | null {
  return frame.context.find(({ line }) => line === frame.line)?.text ?? null;
}

/** Returns the frame's line and some before it, as one text. Returns null if the source is unknown. */
export function linesUpTo(frame: GroupedFrame, before: number): string | null {
  if (frame.line === null || frame.context.length === 0) return null;
  const { line: at } = frame;
  const lines = frame.context.filter(({ line }) => line <= at && line >= at - before);
  return lines.length === 0 ? null : lines.map(({ text }) => text).join('\n');
}

/**
 * Returns whether the code at this frame throws, at its line or the two before (a long `throw` spans lines). Returns
 * null if the source is unknown.
 */
export function throwsItself(frame: GroupedFrame): boolean | null {
  const text = linesUpTo(frame, 2);
  return text === null ? null : throwing.test(text);
}

/** Returns whether the frame is in the constructor of an error class, or on the line that declares one. */
export function isInErrorClass(frame: GroupedFrame): boolean {
  const line = lineOf(frame);
  if (line === null) return false;
  if (errorClass.test(line)) return true;
  return /\bsuper\s*\(/.test(line) && errorClass.test(linesUpTo(frame, 5) ?? '');
}

/**
 * Returns whether a word occurs in the source near the frame. Returns true if the source is unknown and cannot
 * contradict it.
 */
export function isWordNear(word: string, frame: GroupedFrame): boolean {
  const { line: at, context } = frame;
  if (at === null || context.length === 0) return true;
  return context.some(({ line, text }) => Math.abs(line - at) <= 2 && text.includes(word));
}

/** The number of lines below the frame's line that may have the destructured names. */
const linesBelowBrace = 2;
const firstProperty = /\{\s*([\p{L}_$][\p{L}\p{N}_$]{0,100})\s*[,:=}]/u;

/** Returns the first property that the frame's line destructures (`lanes` of `const { lanes } = layout`), or null. */
export function destructuredProperty(frame: GroupedFrame): string | null {
  const { line: at, context } = frame;
  if (at === null) return null;
  const lines = context.filter(({ line }) => line >= at && line <= at + linesBelowBrace);
  const text = lines.map(({ text: code }) => truncate(code, maxLineChars)).join('\n');
  const brace = text.indexOf('{');
  // A brace of another line belongs to another statement.
  if (brace === -1 || brace > (lines[0]?.text.length ?? 0)) return null;
  return firstProperty.exec(text)?.[1] ?? null;
}

/** Returns the quoted strings in the source around a frame. */
export function stringsNear({ context }: GroupedFrame): string {
  return context
    .flatMap(({ text }) => truncate(text, maxLineChars).match(/"[^"]*"|'[^']*'|`[^`]*`?/g) ?? [])
    .join('\n');
}
