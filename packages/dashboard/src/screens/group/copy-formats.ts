import type { Breadcrumb, GroupDetails, ReportDetails } from '@service/protocol';
import { firstFrame, placeOf } from './frame-location.ts';
import { sayCrumb } from './format-breadcrumb.ts';
import { textOf } from '../../components/prose.tsx';

interface Shown {
  group: GroupDetails;
  report: ReportDetails | null;
}

const framesTold = 20;
const crumbsTold = 10;

/** The error as Markdown, for a chat or a document. */
export function asMarkdown({ group, report }: Shown, origin: string): string {
  return sections([
    `## ${headingOf(group)}`,
    quote(report?.message ?? group.message),
    `${origin}/groups/${group.error_group_id}`,
    facts(group),
    report && failing(report),
    report && stack(report),
    report && steps(report.breadcrumbs),
  ]);
}

/** Title and body of an issue. */
export function asIssue(shown: Shown, origin: string): string {
  return sections([
    `${headingOf(shown.group)}: ${firstLine(shown.group.message)}`,
    asMarkdown(shown, origin),
    textOf('issue'),
  ]);
}

/** For a coding agent: what is asked for, and that the report is data. */
export function asPrompt(shown: Shown, origin: string): string {
  return sections([textOf('prompt'), fence(asMarkdown(shown, origin))]);
}

function facts(group: GroupDetails): string {
  return textOf('facts', { ...group, environments: group.environments.join(', ') || null });
}

function failing({ frames }: ReportDetails): string | null {
  const frame = firstFrame(frames);
  if (!frame || frame.context.length === 0) return null;
  const code = frame.context.map(({ line, text }) => `${line === frame.line ? '>' : ' '} ${line} | ${text}`);
  return `Failing line: \`${placeOf(frame)}\`\n\n${fence(code.join('\n'))}`;
}

function stack({ frames, stacktrace }: ReportDetails): string | null {
  const told = frames.slice(0, framesTold).map((frame) => `at ${frame.function ?? '(anonymous)'} (${placeOf(frame)})`);
  const text = told.join('\n') || stacktrace;
  return text && `Stack:\n\n${fence(text)}`;
}

function steps(breadcrumbs: readonly Breadcrumb[]): string | null {
  if (breadcrumbs.length === 0) return null;
  const told = breadcrumbs.slice(-crumbsTold).map((crumb) => `${crumb.timestamp} ${crumb.category} ${sayCrumb(crumb)}`);
  return `What happened before:\n\n${fence(told.join('\n'))}`;
}

/** Longer than any row of backticks inside, so that nothing inside can end it. */
function fence(text: string): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`+/g), ([ticks]) => ticks.length));
  const ticks = '`'.repeat(longest + 1);
  return `${ticks}\n${text}\n${ticks}`;
}

const headingOf = ({ type, culprit }: GroupDetails): string =>
  firstLine(`${type ?? 'Error'}${culprit ? ` in ${culprit}` : ''}`);

const firstLine = (text: string): string => (text.split('\n')[0] ?? '').slice(0, 200);

const quote = (text: string): string => text.slice(0, 2_000).replace(/^/gm, '> ');

const sections = (parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join('\n\n');
