import type * as z from 'zod';
import {
  LinkInput,
  LoginInput,
  LogoutInput,
  Me,
  MePatch,
  RefreshInput,
  RegisterInput,
  Role,
  SessionInput,
  Tokens,
} from '../auth.ts';
import { Checkout, CheckoutInput, Payment, Plan, Received, SandboxEvent, Usage } from '../billing.ts';
import { Breadcrumb } from '../breadcrumb.ts';
import { Explanation, ExplanationQuery, ExplanationRequested, ExplanationStatus } from '../explanation.ts';
import { ErrorGroup, GroupDetails, Grouping, GroupQuery, GroupStatus, GroupStatusInput, TagCount } from '../group.ts';
import { InvitationInput, Member, MemberChange, MemberInput, NewMember } from '../member.ts';
import {
  NotificationChannel,
  Notifications,
  NotificationsInput,
  TestFailure,
  TestFailureReason,
  TestSent,
  WebhookFormat,
} from '../notifications.ts';
import { Origins, OriginsInput } from '../origins.ts';
import { PageQuery } from '../page.ts';
import { NewPersonalToken, PersonalToken, PersonalTokenInput } from '../personal-token.ts';
import { FieldProblem, Problem } from '../problem.ts';
import { Facets, Project, ProjectInput } from '../project.ts';
import {
  Accepted,
  ContextLine,
  ErrorReport,
  Frame,
  KeptReport,
  Level,
  RawFrame,
  ReportDetails,
  ReportSummary,
  Truncated,
} from '../report.ts';
import { CandidateMap, FrameResolution, Resolution, ResolutionDetail, ResolutionResult } from '../resolution.ts';
import { ListedSourceMap, SourceMap, SourceMapQuery } from '../source-map.ts';
import { StreamEvent, StreamQuery } from '../stream.ts';
import { GroupPage, ReportPage } from './errors.ts';
import { MemberPage } from './members.ts';
import { NoInput } from './no-input.ts';
import { PersonalTokenPage } from './personal-tokens.ts';
import { RotatedKey } from './projects.ts';
import { SourceMapForm, SourceMapPage } from './source-maps.ts';

/*
 * What people read about the schemas. It stands apart from them: a server keeps the schemas in memory as long as it
 * runs, and texts only once somebody asks.
 */

/** What a schema is called in the machine description, and what its fields mean where their names don't say it. */
export interface SchemaText {
  name: string;
  text: string;
  fields: Readonly<Partial<Record<string, string>>>;
}

type Fields<Schema extends z.ZodType> = Partial<Record<Extract<keyof z.output<Schema>, string>, string>>;

const texts = new Map<z.ZodType, SchemaText>();

function say<Schema extends z.ZodType>(
  schema: Schema,
  name: string,
  text: string,
  fields: Fields<NoInfer<Schema>> = {},
): Fields<Schema> {
  texts.set(schema, { name, text, fields });
  return fields;
}

export const schemaTexts: ReadonlyMap<z.ZodType, SchemaText> = texts;

say(FieldProblem, 'FieldProblem', 'One field of a request that was not as it should be.', {
  path: 'Which field: names from the outside in, joined by dots. Empty: the request as a whole.',
  detail: 'What was expected of it.',
});
say(
  Problem,
  'Problem',
  'The body of every error answer: the members of RFC 9457. Programs go by `code`, people by `detail`.',
  {
    type: 'Where the code is explained, relative to the server: `/docs/problems#…`.',
    code: 'The stable name of what went wrong.',
    detail: 'A sentence to act on. It never repeats text of the request.',
    errors: 'Which fields were wrong; only of `validation_failed`.',
    request_id: 'As in the header `X-Request-Id`: it finds the request in the log of the server.',
  },
);

const project = say(
  Project,
  'Project',
  'A web app whose errors are collected. Its key can only send reports: it ships in web pages.',
  { api_key: '`pk_` and 32 or more random characters: the `project_api_key` of reports.' },
);
say(ProjectInput, 'ProjectInput', 'What a project is made of.', { name: 'Blanks around it are taken off.' });
say(RotatedKey, 'RotatedKey', 'The new key of a project.', project);
say(Facets, 'Facets', 'The values that reports of a project, or of a team, have had, newest first.');

const kept = say(KeptReport, 'KeptReport', 'A report as it is kept: what was sent, within the limits.', {
  truncated: 'What was cut: the original length of a text, the original count of entries or keys, or `"dropped"`.',
});
const inReport = {
  ...kept,
  received_at: 'By the clock of the server.',
  frames: 'The calls of the stack, innermost first, resolved by the source maps there are now.',
};
say(ReportDetails, 'ReportDetails', 'A kept report, with its stack read and resolved.', inReport);
say(ReportSummary, 'ReportSummary', 'A line of the list of reports of a group.', {
  received_at: inReport.received_at,
});
say(Resolution, 'Resolution', 'How the stack of a report was resolved.', {
  frames: 'In the order of the `frames` of the report.',
});
say(FrameResolution, 'FrameResolution', 'What became of a frame.', {
  index: 'Its place among the `frames` of the report, from 0.',
  file: 'As the browser told it, like `line` and `column`.',
  maps: 'Those that may serve it, in the order in which they are chosen: the first one does.',
});
say(
  ResolutionResult,
  'ResolutionResult',
  '`resolved`, or why not: `not_minified` and `third_party` need no map; `no_location`: the stack tells no place; ' +
    '`debug_id_mismatch`: the map of that name is of another build; `map_invalid`: what is stored of the map is damaged; ' +
    '`source_content_missing`: file and line are right, but the map does not hold the source.',
);
say(ResolutionDetail, 'ResolutionDetail', 'What there is to know of a result. Which fields there are depends on it.', {
  release: 'Of the report; null: it named none.',
  releases: 'Those that have a map of the file, or, if none has, that have maps: newest first, at most ten.',
  file: 'The name of the script that no map has.',
  nearest: 'The names of maps that are most like it, at most three.',
  expected: 'The debug id that the report told.',
  found: 'The one of the map.',
  lines: 'The last line of the script that the map knows.',
  source:
    'The source that the map does not hold. A bundler may need to be told to: `inlineSources` of TypeScript does so.',
});
say(CandidateMap, 'CandidateMap', 'A map that may serve a frame.', {
  why: 'By what it fits: debug id, release and URL, release and file name, or the same without a release.',
});
say(Truncated, 'Truncated', 'What was cut from a report: original lengths and counts, or `"dropped"`.');
say(ErrorReport, 'ErrorReport', 'What a client reports. Unknown fields are ignored, and `null` is as absent.', {
  project_api_key: 'The key of the project.',
  message: 'Required, and not blank, unless there is a `stacktrace`.',
  stacktrace: 'Lines separated by newlines, as any browser writes them.',
  environment: '`production`, `staging`: any text.',
  release: 'Version of the app: source maps are chosen by it.',
  url: 'Of the page.',
  user_agent: 'If it is absent, that of the request counts, provided a page sent it.',
  metadata: 'Whatever helps to understand the error.',
  breadcrumbs: 'What happened before, oldest first: see `Breadcrumb`. Malformed entries are dropped.',
  type: 'Class of the error; if it is absent, the stack or the message tells.',
  timestamp: 'When it happened.',
  event_id: 'A UUID made by the client: the same report sent again is counted once.',
  debug_ids: 'Debug id of each script of the stack, by its URL.',
  user: 'Who was affected. Affected users of a group are counted by it.',
  sdk: 'What sent the report.',
  level: '`error`, unless it says otherwise.',
});
say(Accepted, 'Accepted', 'A report is stored and counted.', {
  fingerprint: 'Equal fingerprints fall into one group: 32 lower-case hexadecimal digits.',
  is_new_group: 'True for exactly one report of a group.',
});
say(Breadcrumb, 'Breadcrumb', 'Something that happened before an error.', {
  type: 'Kind of breadcrumb: `navigation`.',
  category: 'Where it comes from: `history`.',
});
const rawFrame = say(RawFrame, 'RawFrame', 'Where a frame stands, as the browser told it.', {
  line: 'From 1.',
  column: 'From 1.',
});
say(Frame, 'Frame', 'One call of a stack: in the original source if a source map told it, else as the browser did.', {
  ...rawFrame,
  in_app:
    'Code of the app itself: no dependency, and of the origin of the page or of one that the URL of a source map names.',
  resolved: 'Whether a source map told it.',
  context: 'The source around it; empty if it is not resolved.',
});
say(ContextLine, 'ContextLine', 'A line of source.');
say(Level, 'Level', 'How bad it is.');

const group = say(ErrorGroup, 'ErrorGroup', 'A problem: all reports of one fingerprint.', {
  fingerprint: 'Of the report that opened the group.',
  message: 'Of the latest report, its first 300 characters.',
  culprit: 'Function and file where it went wrong.',
  count: 'All reports it ever got.',
  users: 'Different `user.id`: exact up to 1,000, an estimate beyond.',
  reopened_at: 'When a report last came to it after it was resolved.',
  environments: 'All that its reports have named.',
  trend: 'Reports in each of 24 whole hours (UTC), oldest first; the last is the current one.',
});
say(GroupDetails, 'GroupDetails', 'A group with its latest report, and what its reports have in common.', {
  ...group,
  latest_report: 'Null if no report of the group is kept any more.',
  tags: 'The ten most frequent values of each.',
  daily: 'Reports on each of 30 days (UTC), oldest first; the last is today.',
  ai_summary: 'How far its AI explanation is; null: nobody asked for one.',
});
say(Notifications, 'Notifications', 'Who is told of new and returning errors of a project.');
say(NotificationsInput, 'NotificationsInput', 'Who is to be told.');
say(WebhookFormat, 'WebhookFormat', 'Which chat the webhook belongs to.');
say(NotificationChannel, 'NotificationChannel', 'A way by which a project is notified.');
say(TestFailureReason, 'TestFailureReason', 'Why a test message was not delivered.');
say(TestFailure, 'TestFailure', 'A way that did not take a test message.', { detail: 'The reason as a sentence.' });
say(TestSent, 'TestSent', 'What became of a test message.', {
  sent: 'The ways that took it.',
  failed: 'The ways that did not. Absent if there are none.',
});
say(ExplanationStatus, 'ExplanationStatus', 'How far an AI explanation is.');
say(ExplanationRequested, 'ExplanationRequested', 'An AI explanation is being made.');
say(
  Explanation,
  'Explanation',
  'An AI explanation of a group. While another one is made, the last one that was ready stays in it.',
  {
    summary: 'Markdown: what happened, likely cause, where to look, suggested fix.',
    model: 'Who wrote it: the name of the model, or `built-in`.',
    error: 'Why the last try failed; null: it did not.',
    sent: 'With `receipt=true`: exactly what went to the provider for the last request; null: nothing left the server.',
  },
);
say(ExplanationQuery, 'ExplanationQuery', 'What to tell of an explanation.', {
  receipt: '`true`: also what was sent.',
});
say(GroupStatus, 'GroupStatus', 'Whether somebody has dealt with it.');
say(GroupStatusInput, 'GroupStatusInput', 'What becomes of a group.');
say(TagCount, 'TagCount', 'A value, and how many reports had it.');
say(Grouping, 'Grouping', 'Why a group groups as it does: what was hashed, in order.', {
  version: 'Of the rules.',
  rule: 'The rule that applied.',
});

const page = say(PageQuery, 'PageQuery', 'Which page of a list.', {
  page: 'From 1. A page past the end is empty.',
  size: 'Items on a page.',
});
say(GroupQuery, 'GroupQuery', 'Which groups.', {
  ...page,
  status: 'Groups that are active, or those that are resolved.',
  project_id: 'Groups of this project alone; without it, of all projects of the team.',
  environment: 'Groups that had a report from it.',
  release: 'Groups that had a report of it.',
  search: 'Every word must occur in type, message, culprit, release or URL.',
  sort: 'What they are sorted by.',
  order: 'Descending or ascending; ties are broken by id.',
});
say(SourceMapQuery, 'SourceMapQuery', 'Which source maps.', { ...page, release: 'Those of this release alone.' });

say(StreamQuery, 'StreamQuery', 'What is told, and from where on.', {
  project_id: 'What happens to this project alone; without it, to all projects of the team.',
  last_event_id: 'The id of the last event that was read. The header `Last-Event-ID` goes before it.',
});
say(StreamEvent, 'StreamEvent', 'The data of an event. It tells the state of the moment in which it is sent.');

const pageFields = {
  total: 'Items of all pages together.',
  pages: 'How many pages there are.',
};
say(GroupPage, 'GroupPage', 'A page of groups.', pageFields);
say(ReportPage, 'ReportPage', 'A page of reports.', pageFields);
say(SourceMapPage, 'SourceMapPage', 'A page of source maps.', pageFields);
say(MemberPage, 'MemberPage', 'A page of members.', pageFields);
say(PersonalTokenPage, 'PersonalTokenPage', 'A page of personal access tokens.', pageFields);

const map = say(SourceMap, 'SourceMap', 'An uploaded source map.', {
  file: 'The uploaded name without `.map`.',
  url: 'URL or path of the minified file; `~/path` stands for any host.',
  debug_id: 'As the map names it.',
  size: 'Bytes, as uploaded.',
  sources: 'How many files the script was made of.',
});
say(ListedSourceMap, 'ListedSourceMap', 'An uploaded source map, as lists show it.', {
  ...map,
  last_used_at: 'When it last resolved a frame; null: never.',
});
say(SourceMapForm, 'SourceMapForm', 'The parts of the form.', {
  file: 'The `.map` file.',
  release: 'The release that it belongs to.',
  url: 'URL or path of the minified file; `~/path` stands for any host.',
});

say(Role, 'Role', 'An owner may do all; a member all but members, origins, checkout and plan; a viewer only reads.');
say(Tokens, 'Tokens', 'A session has begun.', {
  access_token: 'Send it as `Authorization: Bearer …`.',
  expires_in: 'Seconds that the access token is good for.',
  refresh_token: 'Gets the next pair of tokens, once.',
});
say(RegisterInput, 'RegisterInput', 'Who opens an account.', { password: 'At least 10 characters.' });
say(LoginInput, 'LoginInput', 'Who signs in.');
say(LinkInput, 'LinkInput', 'A one-time link.', { token: 'What stands in the link behind `#sign-in=`.' });
say(SessionInput, 'SessionInput', 'Who signs in, by password or by link.');
say(RefreshInput, 'RefreshInput', 'The refresh token of a session.');
say(LogoutInput, 'LogoutInput', 'Which session ends; nothing: that of the caller.');
say(Me, 'Me', 'Who is signed in.', { name: 'Null: none was given.' });
say(MePatch, 'MePatch', 'What changes.', { current_password: 'The password that is good now: a new one needs it.' });

const token = say(PersonalToken, 'PersonalToken', 'A personal access token, without the token itself.', {
  expires_at: 'Null: never.',
});
say(NewPersonalToken, 'NewPersonalToken', 'A personal access token that has just been made.', {
  ...token,
  token: 'Send it as `Authorization: Bearer pat_…`. It is shown only here.',
});
say(PersonalTokenInput, 'PersonalTokenInput', 'What a token is made of.', {
  expires_at: 'In the future; null or absent: never.',
});

const member = say(Member, 'Member', 'Somebody of the team.', {
  status: 'Who was invited has no password yet.',
});
say(NewMember, 'NewMember', 'A member that has just been added.', {
  ...member,
  invite_url: 'Where an invited member chooses a password: once, within 24 hours. It is shown only here.',
});
say(MemberInput, 'MemberInput', 'Who is added.', { password: 'Without one the member is invited.' });
say(MemberChange, 'MemberChange', 'What changes.', { password: 'A new one signs the member out everywhere.' });
say(InvitationInput, 'InvitationInput', 'An invitation, and the password that is chosen.', {
  token: 'What stands in the `invite_url` behind `#invitation=`.',
});

say(Origins, 'Origins', 'Whose pages may send reports. Both lists count.', {
  origins: 'Changed at run time.',
  from_settings: 'From the settings of the server.',
});
say(OriginsInput, 'OriginsInput', 'Whose pages may send reports.', {
  origins: 'Exact origins, `https://*.example.com` for all its subdomains, or `*` for any.',
});

say(Plan, 'Plan', 'What a team may use a month, and what that costs.', {
  price: 'A month, in minor units of the currency: cents.',
  currency: 'As in ISO 4217.',
  error_quota: 'Reports a month; null: any number.',
  ai_quota: 'AI explanations a month; null: any number.',
});

say(Usage, 'Usage', 'What a team has used in a period.', {
  plan: 'Id of the plan.',
  period_start: 'The calendar month in UTC: its first moment.',
  period_end: 'The first moment of the next one.',
  errors: 'Reports: taken, how many may be (null: any number), refused, and since when some were (null: none were).',
  ai: 'AI explanations.',
});

say(CheckoutInput, 'CheckoutInput', 'What is to be paid for.', {
  plan: 'Id of the plan.',
  provider: '`stripe` or `sandbox`, if the server is set up for it.',
});
say(Checkout, 'Checkout', 'A payment that has begun.', {
  payment_id: 'The number of the payment: whoever asks for help names it.',
  checkout_url: 'The page on which it is paid.',
});
say(Payment, 'Payment', 'What a team is to pay, or has paid, for a plan.', {
  plan: 'Id of the plan.',
  paid_at: 'When, by the clock of the provider; null: not yet.',
});
say(SandboxEvent, 'SandboxEvent', 'What the sandbox tells of a payment. Unknown fields are ignored.', {
  id: 'Of the event: one that came already changes nothing.',
  type: '`payment.succeeded` or `payment.failed`.',
  payment_id: 'As `POST /billing/checkout` answered.',
});
say(Received, 'Received', 'The event is taken in.');

say(NoInput, 'NoInput', 'Nothing: no body at all, or `{}`.');
