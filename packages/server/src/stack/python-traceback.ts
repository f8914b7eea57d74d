import { limits, truncationMark, type ExceptionRelation } from '@service/protocol';
import { truncate } from '../text/truncate.ts';
import { AdmissionCache } from '../cache/admission-cache.ts';
import type { Heading } from './heading.ts';
import type { CauseSection, ParsedStack } from './parsed-stack.ts';
import type { StackFrame } from './stack-frame.ts';
import { withoutComprehensions } from './comprehensions.ts';

const header = 'Traceback (most recent call last):';
const groupHeader = `Exception Group ${header}`;
const fileStart = 'File "';
const headingPattern = /^([\p{L}_][\p{L}\p{N}_.<>]{0,199})(?::(?:\s|$)|$)/u;
/** Names that Python uses in place of a file for `exec`, consoles and notebooks. */
const evaluated = /^<(?:string|stdin|console|input|ipython-input-[^>]*|unknown)>$/;
/** The lines between two errors, which say how the first one led to the second one. */
const links = new Map<string, ExceptionRelation>([
  ['The above exception was the direct cause of the following exception:', 'cause'],
  ['During handling of the above exception, another exception occurred:', 'context'],
]);
/** Lines below a frame that are no source: marks under an expression, and repeated frames. */
const noSource = /^(?:[~^\s]+|\[Previous line repeated .*|\.\.\.<\d+ lines?>\.\.\.)$/;

/**
 * Returns the start of a Python traceback, or -1 if the text is not one. With `anywhere` it may follow other text, such
 * as a log line.
 */
export function tracebackStart(text: string, anywhere: boolean): number {
  const first = firstLineStart(text);
  if (first === -1) return -1;
  const line = tracebackLineAt(text, first).trim();
  if (isHeader(line) || parseTracebackFrame(line) !== null) return first;
  if (!anywhere || !text.includes(header)) return -1;
  for (let start = nextTracebackLine(text, first); start < text.length; start = nextTracebackLine(text, start)) {
    if (isHeader(tracebackLineAt(text, start).trim())) return start;
  }
  return -1;
}

/**
 * Parses a Python traceback in the format of `parseStack`. Python lists the top frame last and the uncaught error last.
 * The result has the top frame first, the uncaught error outermost, and the earlier errors as its causes.
 */
export function parseTraceback(text: string, start: number, maxLines: number): ParsedStack {
  const sections: OpenTraceback[] = [];
  let isMember = false;
  let isGroup = false;
  for (let at = start, lines = 0; at < text.length && lines < maxLines; at = nextTracebackLine(text, at), lines++) {
    const line = tracebackLineAt(text, at);
    // An exception group is drawn as a tree, with its members behind `|`.
    const content: string = isGroup ? line.replace(/^\s*\|\s?/, '') : line;
    const trimmed = content.trim();
    const section = sections.at(-1);
    if (isGroup && /^\s*\+-/.test(line)) isMember = true;
    else if (isHeader(trimmed)) {
      isGroup ||= trimmed.endsWith(groupHeader);
      sections.push(openTraceback(indentOf(content), at, isMember));
    } else if (section && section.headingLines > 0) continueHeading(section, trimmed);
    else if (trimmed.startsWith(fileStart))
      addFrame(section ?? openUnnamed(sections, content, at), trimmed, at + line.length);
    else if (section && trimmed !== '' && indentOf(content) <= section.indent) continueHeading(section, trimmed);
    else if (section) addSourceLine(section, trimmed, at + line.length);
  }
  return joinSections(sections, text);
}

interface OpenTraceback {
  indent: number;
  isMember: boolean;
  frames: StackFrame[];
  heading: string;
  /** How the next error relates to this one: this one is its cause, or was being handled. */
  link?: ExceptionRelation;
  /** The lines of the heading so far: 0 while frames are read; Infinity after the end of the heading. */
  headingLines: number;
  /** The range of the text that contains the frames. */
  start: number;
  end: number;
}

function openTraceback(indent: number, start: number, isMember: boolean): OpenTraceback {
  return { indent, isMember, frames: [], heading: '', headingLines: 0, start, end: start };
}

/** Opens a section without a header: a syntax error has none. */
function openUnnamed(sections: OpenTraceback[], line: string, start: number): OpenTraceback {
  const section = openTraceback(Math.max(0, indentOf(line) - 2), start, false);
  sections.push(section);
  return section;
}

function addFrame(section: OpenTraceback, line: string, end: number): void {
  const frame = parseTracebackFrame(line);
  if (frame === null) return;
  section.frames.push(frame);
  section.end = end;
}

/** Adds the source line that Python prints below each frame. */
function addSourceLine(section: OpenTraceback, text: string, end: number): void {
  const frame = section.frames.at(-1);
  if (!frame || frame.context || frame.line === null || text === '' || text === truncationMark || noSource.test(text))
    return;
  frame.context = [{ line: frame.line, text }];
  section.end = end;
}

/** Appends a line to the heading. An empty line ends the message. The line that links to the next error may follow. */
function continueHeading(section: OpenTraceback, line: string): void {
  const link = links.get(line);
  if (link !== undefined) section.link = link;
  if (line === '' || link !== undefined) section.headingLines = Infinity;
  else if (section.headingLines < Infinity) {
    section.heading += section.heading === '' ? line : `\n${line}`;
    section.headingLines++;
  }
}

function joinSections(sections: readonly OpenTraceback[], text: string): ParsedStack {
  const chain = sections.filter(({ isMember }) => !isMember).toReversed();
  const members = sections.filter(({ isMember }) => isMember);
  const [outer, ...causes] = [...chain, ...members].map((section) => closeTraceback(section, text));
  const { type, message, frames } = outer ?? noSection;
  return { type, message, frames, causes };
}

const noSection: CauseSection = { type: null, message: null, frames: [] };

/** Parsed frames by their text, so that equal stacks share objects. */
const framesByText = new AdmissionCache<readonly StackFrame[]>(1_000, 1_000_000);

function closeTraceback(section: OpenTraceback, text: string): CauseSection {
  const { heading, frames, isMember, link, start, end } = section;
  const calls = text.slice(start, end);
  let cached = framesByText.get(calls);
  if (!cached) {
    cached = withoutComprehensions(frames.toReversed());
    framesByText.set(calls, cached);
  }
  const relation = isMember ? 'member' : link;
  return { ...readError(heading), frames: cached, ...(relation && { relation }) };
}

/** Splits `shop.errors.CartError: no such cart` into class and message. A raised error always has a class. */
function readError(heading: string): Heading {
  const type = headingPattern.exec(heading)?.[1];
  if (type === undefined) return { type: null, message: heading === '' ? null : heading };
  const message = heading.slice(type.length + 1).trim();
  // The class is the same whether its file is imported or run.
  return { type: type.replace(/^(?:__main__|builtins)\./, ''), message: message === '' ? null : message };
}

/** Parses a trimmed `File "/app/cart.py", line 3, in total`. A syntax error has no function. */
function parseTracebackFrame(line: string): StackFrame | null {
  if (!line.startsWith(fileStart)) return null;
  const end = line.indexOf('", line ', fileStart.length);
  if (end === -1) return null;
  const [, digits, name = null] = /^(\d{1,9})(?:, in (.+))?/.exec(line.slice(end + '", line '.length)) ?? [];
  if (digits === undefined) return null;
  const file = line.slice(fileStart.length, end);
  const frame: StackFrame = { function: name === '<module>' ? null : name, file, line: Number(digits), column: null };
  return evaluated.test(file) ? { ...frame, file: null, eval: true } : frame;
}

function isHeader(line: string): boolean {
  return line === header || line === groupHeader || line === `+ ${groupHeader}`;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

function firstLineStart(text: string): number {
  const first = text.search(/\S/);
  return first === -1 ? -1 : text.lastIndexOf('\n', first) + 1;
}

/** Returns the line that begins at `start`, truncated. */
function tracebackLineAt(text: string, start: number): string {
  const newline = text.indexOf('\n', start);
  const end = newline === -1 ? text.length : newline;
  return truncate(text.slice(start, end), limits.stacktraceLineChars).trimEnd();
}

function nextTracebackLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline === -1 ? text.length : newline + 1;
}
