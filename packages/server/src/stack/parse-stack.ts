import { limits } from '@service/protocol';
import { truncate } from '../text/truncate.ts';
import { AdmissionCache } from '../cache/admission-cache.ts';
import { readAtSignLine } from './at-sign-line.ts';
import { readHeading } from './heading.ts';
import type { ParsedStack, StackSection } from './parsed-stack.ts';
import { parseTraceback, tracebackStart } from './python-traceback.ts';
import type { StackFrame } from './stack-frame.ts';
import { readV8Line } from './v8-line.ts';

/** A trace that was truncated to the limit has one more line: the truncation mark. */
const maxLines = limits.stacktraceLines + 1;
const causedBy = 'Caused by: ';
/** Parsed stacks by the text below the heading. That text is the same each time an error occurs. */
const bodiesByText = new AdmissionCache<StackBody>(2_000, 2_000_000);

/**
 * Parses a stack trace of any browser, or of Python, top frame first. Skips lines that are not frames. SpiderMonkey and
 * JavaScriptCore write no heading, so type and message are null for their traces. Equal stacks may share objects:
 * callers must not modify the result.
 *
 * The time is linear in the length of any text: lines are truncated before a pattern is applied to them.
 */
export function parseStack(stacktrace: string): ParsedStack {
  const python = tracebackStart(stacktrace, false);
  if (python !== -1) return parseTraceback(stacktrace, python, maxLines);
  const parsed = parseBrowserStack(stacktrace);
  if (parsed.frames.length > 0) return parsed;
  // A page may forward an error of its server. If there are frames of the page, they take precedence.
  const later = tracebackStart(stacktrace, true);
  return later === -1 ? parsed : parseTraceback(stacktrace, later, maxLines);
}

function parseBrowserStack(stacktrace: string): ParsedStack {
  const { heading, lines, end } = headingOf(stacktrace);
  const text = end === 0 ? stacktrace : stacktrace.slice(end);
  const maxBodyLines = maxLines - lines;
  let body = bodiesByText.get(text);
  if (!body || body.lines > maxBodyLines) {
    body = readStackBody(text, maxBodyLines);
    // A truncated body is not cached: a shorter heading would have left room for more of its lines.
    if (text !== '' && body.lines < maxBodyLines) bodiesByText.set(text, body);
  }
  const { type, message } = readHeading(heading);
  return { type, message, frames: body.frames, causes: body.causes };
}

/** Returns the lines above the first frame. They are the message, which may have several lines. */
function headingOf(text: string): { heading: string; lines: number; end: number } {
  let heading = '';
  let lines = 0;
  let start = 0;
  while (start < text.length && lines < maxLines) {
    const line = lineAt(text, start);
    if (line.startsWith(causedBy) || readFrame(line) !== null) break;
    heading += heading === '' ? line : `\n${line}`;
    start = nextLine(text, start);
    lines++;
  }
  return { heading, lines, end: start };
}

interface StackBody {
  frames: readonly StackFrame[];
  causes: readonly StackSection[];
  lines: number;
}

/** Parses the frames of the outermost error and the errors that caused it. */
function readStackBody(text: string, max: number): StackBody {
  const outer: OpenSection = { heading: '', frames: [] };
  const causes: OpenSection[] = [];
  let section = outer;
  let lines = 0;
  for (let start = 0; start < text.length && lines < max; start = nextLine(text, start), lines++) {
    const line = lineAt(text, start);
    if (line.startsWith(causedBy)) {
      causes.push((section = { heading: line.slice(causedBy.length), frames: [] }));
      continue;
    }
    const frame = readFrame(line);
    if (frame !== null) section.frames.push(frame);
    // Lines between frames are ignored.
    else if (section.frames.length === 0 && section !== outer)
      section.heading += section.heading === '' ? line : `\n${line}`;
  }
  return { frames: outer.frames, causes: causes.map(closeSection), lines };
}

interface OpenSection {
  heading: string;
  frames: StackFrame[];
}

function closeSection({ heading, frames }: OpenSection): StackSection {
  return { ...readHeading(heading), frames };
}

function readFrame(line: string): StackFrame | null {
  return line.startsWith('at ') ? readV8Line(line) : readAtSignLine(line);
}

/** Returns the line that begins at `start`, trimmed and truncated. */
function lineAt(text: string, start: number): string {
  const newline = text.indexOf('\n', start);
  const end = newline === -1 ? text.length : newline;
  return truncate(text.slice(start, end), limits.stacktraceLineChars).trim();
}

function nextLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline === -1 ? text.length : newline + 1;
}
