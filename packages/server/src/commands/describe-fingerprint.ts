import { open } from 'node:fs/promises';
import { customFingerprint, fingerprint, type Fingerprint } from '../fingerprint/fingerprint.ts';
import { truncate } from '../text/truncate.ts';
import { printable } from '../text/printable.ts';
import { ProblemError } from '../problem.ts';
import { assertReportFields } from '../report/assert-report-fields.ts';
import { parseReport, type ParsedReport } from '../report/parse-report.ts';
import { rawFrames } from '../stack/raw-frames.ts';
import type { ReportFrame } from '../stack/report-frame.ts';
import { isRecord } from '../validation/validation.ts';
import { CommandError } from './command-error.ts';

/** The maximum size of a report: `limits.reportBodyBytes`. */
const maxInputBytes = 1024 * 1024;
const shownChars = 200;

/**
 * Describes how a stack trace, or a report as JSON, would be grouped. Uses only the text: no storage, no source maps.
 */
export async function describeFingerprint(file: string): Promise<string> {
  const text = await readInput(file);
  if (text.trim() === '')
    throw new CommandError(`${displayName(file)} is empty. It must contain a stack trace, or a report as JSON.`);
  const report = reportOf(text, file);
  const { type, message, url, fingerprint: custom } = report.facts;
  const frames = rawFrames(report.stack.frames, url);
  const causes = report.stack.causes.map((cause) => ({ ...cause, frames: rawFrames(cause.frames, url) }));
  const computed = fingerprint({ type, message, frames, causes, url });
  return formatFingerprint(report, custom ? customFingerprint(custom, computed) : computed, frames);
}

function reportOf(text: string, file: string): ParsedReport {
  try {
    const body = bodyOf(text);
    assertReportFields(body);
    return parseReport(body, { userAgent: null, receivedAt: 0 });
  } catch (error) {
    if (error instanceof ProblemError) throw new CommandError(`${displayName(file)} is not a report: ${error.message}`);
    throw error;
  }
}

function bodyOf(text: string): Record<string, unknown> {
  if (text.trimStart().startsWith('{')) {
    try {
      const body: unknown = JSON.parse(text);
      if (isRecord(body) && ('message' in body || 'stacktrace' in body)) return body;
    } catch {
      // The text may be a stack trace whose message begins with a brace.
    }
  }
  return { stacktrace: text };
}

function formatFingerprint(
  { facts, stack }: ParsedReport,
  { fingerprint: digest, grouping, culprit }: Fingerprint,
  frames: readonly ReportFrame[],
): string {
  const rows: [name: string, text: string | null][] = [
    ['Fingerprint', digest],
    ['Rule', `${grouping.rule} (version ${grouping.version})`],
    ...grouping.components.map((part, index): [string, string] => [`Component ${index + 1}`, JSON.stringify(part)]),
    ['Culprit', culprit],
    ['Type', facts.type],
    ['Message', facts.message],
    ...stack.causes.map((cause): [string, string] => ['Cause', [cause.type, cause.message].filter(Boolean).join(': ')]),
  ];
  const width = Math.max(...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `${name.padEnd(width)}  ${text === null ? '-' : toPrintable(text)}`);
  return [...lines, '', ...frameLines(frames)].join('\n');
}

function frameLines(frames: readonly ReportFrame[]): string[] {
  if (frames.length === 0) return ['No line was read as a frame.'];
  const lines = frames.map(({ function: name, file, line, column, in_app: isOfApp }) => {
    const location = [file ?? '-', line, column].filter((part) => part !== null).join(':');
    return `  ${isOfApp ? '*' : ' '} ${toPrintable(name ?? '-')}  ${toPrintable(location)}`;
  });
  return ['Frames, top first (*: of the app)', ...lines];
}

function toPrintable(text: string): string {
  const line = printable(text);
  return line.length > shownChars ? `${truncate(line, shownChars)}…` : line;
}

function displayName(file: string): string {
  return file === '-' ? 'Standard input' : printable(file);
}

async function readInput(file: string): Promise<string> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of file === '-' ? process.stdin : (await open(file)).createReadStream()) {
      pieces.push(piece as Buffer);
      bytes += (piece as Buffer).length;
      if (bytes > maxInputBytes) break;
    }
  } catch (error) {
    throw new CommandError(`${displayName(file)} can't be read (${(error as NodeJS.ErrnoException).code}).`, {
      cause: error,
    });
  }
  if (bytes > maxInputBytes)
    throw new CommandError(`${displayName(file)} exceeds the limit of ${maxInputBytes} bytes for a report.`);
  return Buffer.concat(pieces).toString('utf8');
}
