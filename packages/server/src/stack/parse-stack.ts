import { limits } from '@service/protocol';
import { truncate } from '../text/truncate.ts';
import { AdmissionCache } from '../cache/admission-cache.ts';
import { readAtSignLine } from './at-sign-line.ts';
import { readHeading } from './heading.ts';
import type { ParsedStack, StackSection } from './parsed-stack.ts';
import { readTraceback, tracebackStart } from './python-traceback.ts';
import type { StackFrame } from './stack-frame.ts';
import { readV8Line } from './v8-line.ts';

/** A trace that was cut to its limit has the mark of the cut on a line of its own. */
const maxLines = limits.stacktraceLines + 1;
const causedBy = 'Caused by: ';
/** What stands below the heading is the same whenever a bug strikes again, down to the same frames. */
const cache = new AdmissionCache<StackBody>(2_000, 2_000_000);

/**
 * Reads a stack trace of any browser, or of Python, top frame first. Lines that are no frames are skipped. SpiderMonkey
 * and JavaScriptCore write no heading: type and message are null then. The same calls may be the same objects: they are
 * only to be read.
 *
 * Takes time in proportion to the text, whatever the text: lines are cut before any pattern sees them.
 */
export function parseStack(stacktrace: string): ParsedStack {
  const python = tracebackStart(stacktrace, false);
  if (python !== -1) return readTraceback(stacktrace, python, maxLines);
  const parsed = parseBrowserStack(stacktrace);
  if (parsed.frames.length > 0) return parsed;
  // A page may well pass on what a server of its own has told it: where there are frames of the page, they count.
  const later = tracebackStart(stacktrace, true);
  return later === -1 ? parsed : readTraceback(stacktrace, later, maxLines);
}

function parseBrowserStack(stacktrace: string): ParsedStack {
  const { heading, lines, end } = headingOf(stacktrace);
  const text = end === 0 ? stacktrace : stacktrace.slice(end);
  const maxBodyLines = maxLines - lines;
  let body = cache.get(text);
  if (!body || body.lines > maxBodyLines) {
    body = readBody(text, maxBodyLines);
    // One that was cut short has the lines of its heading to thank for that.
    if (text !== '' && body.lines < maxBodyLines) cache.set(text, body);
  }
  const { type, message } = readHeading(heading);
  return { type, message, frames: body.frames, causes: body.causes };
}

/** What stands above the first frame is the message, and may be of several lines. */
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

/** The frames of the outermost error, and the errors below it. */
function readBody(text: string, max: number): StackBody {
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
    // What stands between frames is noise.
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

/** The line that begins here, trimmed and cut. */
function lineAt(text: string, start: number): string {
  const newline = text.indexOf('\n', start);
  const end = newline === -1 ? text.length : newline;
  return truncate(text.slice(start, end), limits.stacktraceLineChars).trim();
}

function nextLine(text: string, start: number): number {
  const newline = text.indexOf('\n', start);
  return newline === -1 ? text.length : newline + 1;
}
