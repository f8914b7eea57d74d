import { limits } from '@service/protocol';
import { readAtSignLine } from './at-sign-line.ts';
import { readHeading, type Heading } from './heading.ts';
import type { StackFrame } from './stack-frame.ts';
import { readV8Line } from './v8-line.ts';

/** One error of a trace: its class and message, as far as the trace tells them, and its frames, top first. */
export interface StackSection extends Heading {
  frames: StackFrame[];
}

export interface ParsedStack extends StackSection {
  /** The errors this one was made from, outermost first: causes, and the members of an AggregateError. */
  causes: StackSection[];
}

/** A trace that was cut to its limit has the mark of the cut on a line of its own. */
const mostLines = limits.stacktraceLines + 1;
const causedBy = 'Caused by: ';

/**
 * Reads a stack trace of any browser, top frame first. Lines that are no frames are skipped. SpiderMonkey and
 * JavaScriptCore write no heading: type and message are null then.
 *
 * Takes time in proportion to the text, whatever the text: lines are cut before any pattern sees them.
 */
export function parseStack(stacktrace: string): ParsedStack {
  const sections: OpenSection[] = [openSection('')];
  for (const line of linesOf(stacktrace)) {
    const section = sections[sections.length - 1]!;
    if (line.startsWith(causedBy)) {
      sections.push(openSection(line.slice(causedBy.length)));
      continue;
    }
    const frame = readFrame(line);
    if (frame !== null) section.frames.push(frame);
    // What stands above the first frame is the message; what stands between frames is noise.
    else if (section.frames.length === 0) section.heading += section.heading === '' ? line : `\n${line}`;
  }
  const [outer, ...causes] = sections.map(closeSection);
  return { ...outer!, causes };
}

interface OpenSection {
  heading: string;
  frames: StackFrame[];
}

function openSection(heading: string): OpenSection {
  return { heading, frames: [] };
}

function closeSection({ heading, frames }: OpenSection): StackSection {
  return { ...readHeading(heading), frames };
}

function readFrame(line: string): StackFrame | null {
  return line.startsWith('at ') ? readV8Line(line) : readAtSignLine(line);
}

/** The first lines of the text, trimmed and cut. A generator would cost more than all the reading. */
function linesOf(text: string): string[] {
  const lines: string[] = [];
  for (let start = 0; start <= text.length && lines.length < mostLines;) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    lines.push(text.slice(start, Math.min(end, start + limits.stacktraceLineChars)).trim());
    start = end + 1;
  }
  return lines;
}
