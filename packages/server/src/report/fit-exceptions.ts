import {
  ExceptionRelation,
  limits,
  type ContextLine,
  type ExceptionFrame,
  type StoredException,
  type Truncated,
} from '@service/protocol';
import { isRecord } from '../validation/validation.ts';
import { jsonBytes } from './json-bytes.ts';
import { truncateText } from './truncate-text.ts';

/** If the exceptions are too large, this many first frames of each keep their source lines longer than the others. */
const framesWithContext = 10;
const relations: readonly unknown[] = ExceptionRelation.options;

/**
 * Returns the exceptions of a report within their limits, or null if it has no readable ones. Drops malformed ones,
 * keeps the first and last frames of a long stack, and truncates texts. If they are still too large, drops variables,
 * then source lines, then the last exceptions.
 */
export function fitExceptions(value: unknown, truncated: Truncated): StoredException[] | null {
  if (!Array.isArray(value)) return null;
  const reader = new ExceptionReader();
  const read = value.slice(0, limits.exceptions).flatMap((item) => reader.exception(item) ?? []);
  const fitted = reader.maxBytes <= limits.exceptionsBytes ? read : fitBytes(read);
  if (fitted.length === 0) return null;
  if (reader.isTruncated || fitted !== read || fitted.length < value.length) truncated.exceptions = value.length;
  return fitted;
}

/** The maximum bytes that JSON adds to one text: the names of fields, quotes, and the numbers next to the text. */
const maxExtraBytesPerText = 200;
/** A character that JSON writes as an escape, such as `\u0000`. */
const maxCharBytes = 6;

/** Reads exceptions and records whether a text was truncated, or frames, source lines or variables were dropped. */
class ExceptionReader {
  isTruncated = false;
  /** An upper bound for the bytes of the exceptions as JSON. Most are far below the limit and are not measured. */
  maxBytes = 0;

  exception(value: unknown): StoredException | null {
    if (!isRecord(value)) return null;
    const type = this.#text(value.type, limits.typeChars);
    const message = this.#text(value.message, limits.messageChars);
    const sent = Array.isArray(value.frames) ? (value.frames as unknown[]) : [];
    const frames = this.#middleDropped(sent).flatMap((frame) => this.#frame(frame) ?? []);
    if (type === null && message === null && frames.length === 0) return null;
    const relation = relations.includes(value.relation) ? (value.relation as ExceptionRelation) : null;
    return { type, message, relation, ...(value.synthetic === true && { synthetic: true }), frames };
  }

  #middleDropped(frames: readonly unknown[]): readonly unknown[] {
    const { exceptionFrames, exceptionTailFrames } = limits;
    if (frames.length <= exceptionFrames) return frames;
    this.isTruncated = true;
    return [...frames.slice(0, exceptionFrames - exceptionTailFrames), ...frames.slice(-exceptionTailFrames)];
  }

  #frame(value: unknown): ExceptionFrame | null {
    if (!isRecord(value)) {
      this.isTruncated = true;
      return null;
    }
    const frame: ExceptionFrame = {
      function: this.#text(value.function, limits.frameNameChars),
      file: this.#text(value.file, limits.frameFileChars),
      line: readLineOrColumn(value.line),
      column: readLineOrColumn(value.column),
    };
    const module = this.#text(value.module, limits.frameNameChars);
    if (module) frame.module = module;
    if (typeof value.in_app === 'boolean') frame.in_app = value.in_app;
    const context = this.#context(value.context, frame.line);
    if (context.length > 0) frame.context = context;
    const variables = this.#variables(value.variables);
    if (variables !== null) frame.variables = variables;
    return frame;
  }

  /** Returns the source lines around the line of the frame, in order. */
  #context(value: unknown, line: number | null): ContextLine[] {
    if (!Array.isArray(value) || line === null) return [];
    const reach = (limits.contextLines - 1) / 2;
    const lines: ContextLine[] = [];
    for (const item of value.slice(0, 4 * limits.contextLines) as unknown[]) {
      if (!isRecord(item) || typeof item.text !== 'string') continue;
      const at = readLineOrColumn(item.line);
      if (at === null || Math.abs(at - line) > reach || lines.some((known) => known.line === at)) continue;
      lines.push({ line: at, text: this.#text(item.text, limits.contextLineChars) ?? '' });
    }
    if (lines.length < value.length) this.isTruncated = true;
    return lines.toSorted((a, b) => a.line - b.line);
  }

  #variables(value: unknown): Record<string, string> | null {
    if (!isRecord(value)) return null;
    const all = Object.entries(value);
    const kept = all
      .filter((entry): entry is [string, string] => isVariable(entry[0], entry[1]))
      .slice(0, limits.frameVariables);
    if (kept.length < all.length) this.isTruncated = true;
    if (kept.length === 0) return null;
    for (const [name] of kept) this.maxBytes += maxCharBytes * name.length;
    return Object.fromEntries(kept.map(([name, text]) => [name, this.#text(text, limits.frameVariableChars) ?? '']));
  }

  #text(value: unknown, limit: number): string | null {
    this.maxBytes += maxExtraBytesPerText;
    if (typeof value !== 'string') return null;
    if (value.length > limit) this.isTruncated = true;
    const text = truncateText(value, limit);
    this.maxBytes += maxCharBytes * text.length;
    return text;
  }
}

function isVariable(name: string, text: unknown): boolean {
  return typeof text === 'string' && name.length <= limits.frameNameChars;
}

/** Lines and columns start at 1. */
function readLineOrColumn(value: unknown): number | null {
  return Number.isInteger(value) && (value as number) > 0 && (value as number) < 1e9 ? (value as number) : null;
}

/** What is dropped, in this order, until the exceptions fit. */
const reductions: readonly ((frame: ExceptionFrame, index: number) => ExceptionFrame)[] = [
  withoutVariables,
  (frame) => (frame.in_app === false ? withoutContext(frame) : frame),
  (frame, index) => (index < framesWithContext ? frame : withoutContext(frame)),
  withoutContext,
];

function fitBytes(exceptions: StoredException[]): StoredException[] {
  let fitted = exceptions;
  for (const reduce of reductions) {
    if (jsonBytes(fitted) <= limits.exceptionsBytes) return fitted;
    fitted = fitted.map((exception) => ({ ...exception, frames: exception.frames.map(reduce) }));
  }
  while (fitted.length > 0 && jsonBytes(fitted) > limits.exceptionsBytes) fitted = fitted.slice(0, -1);
  return fitted;
}

function withoutVariables(frame: ExceptionFrame): ExceptionFrame {
  const kept = { ...frame };
  delete kept.variables;
  return kept;
}

function withoutContext(frame: ExceptionFrame): ExceptionFrame {
  const kept = { ...frame };
  delete kept.context;
  return kept;
}
