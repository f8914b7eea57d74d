import type * as z from 'zod';
import {
  AccountDeletion,
  Confirmation,
  ConfirmationInput,
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
import {
  CustomTag,
  ErrorGroup,
  facetNames,
  Facets,
  GroupDetails,
  groupFilterNames,
  Grouping,
  GroupQuery,
  GroupStatus,
  GroupStatusInput,
  MergedGroup,
  MergeInput,
  TagCount,
  TagFacet,
} from '../group.ts';
import { limits } from '../limits.ts';
import { InvitationInput, Member, MemberChange, MemberInput, NewMember, TeamDeletion } from '../member.ts';
import {
  ChannelName,
  Notifications,
  NotificationsInput,
  Recipient,
  RecipientInput,
  TestFailure,
  TestFailureReason,
  TestSent,
  WebhookFormat,
} from '../notifications.ts';
import { Origins, OriginsInput } from '../origins.ts';
import { PageQuery } from '../pagination.ts';
import { NewPersonalToken, PersonalToken, PersonalTokenInput } from '../personal-token.ts';
import { FieldProblem, Problem } from '../problem.ts';
import { DroppedItems, Project, ProjectDetails, ProjectInput } from '../project.ts';
import {
  Accepted,
  Cause,
  ContextLine,
  ErrorReport,
  ExceptionFrame,
  ExceptionRelation,
  Frame,
  StoredReport,
  Level,
  RawFrame,
  ReportDetails,
  ReportSummary,
  StoredException,
  Truncated,
} from '../report.ts';
import { CandidateMap, FrameResolution, Resolution, ResolutionDetail, ResolutionResult } from '../resolution.ts';
import { ListedSourceMap, SourceMap, SourceMapQuery, SourceMapUsage } from '../source-map.ts';
import { StreamEvent, StreamQuery } from '../stream.ts';
import { GroupPage, MergedGroupPage, ReportPage } from './errors.ts';
import { PaymentPage } from './billing.ts';
import { MemberPage } from './members.ts';
import { RecipientPage } from './notifications.ts';
import { NoInput } from './no-input.ts';
import { PersonalTokenPage } from './personal-tokens.ts';
import { RotatedKey } from './projects.ts';
import { SourceMapForm, SourceMapPage } from './source-maps.ts';

/*
 * The documentation of the schemas. It is separate from them because a server keeps the schemas in memory as long as it
 * runs, but loads these texts only on request.
 */

/** The name of a schema in the OpenAPI document, and descriptions of the fields whose names need one. */
export interface SchemaText {
  name: string;
  description: string;
  fields: Readonly<Partial<Record<string, string>>>;
}

type Fields<Schema extends z.ZodType> = Partial<Record<Extract<keyof z.output<Schema>, string>, string>>;

const texts = new Map<z.ZodType, SchemaText>();

function describe<Schema extends z.ZodType>(
  schema: Schema,
  name: string,
  description: string,
  fields: Fields<NoInfer<Schema>> = {},
): Fields<Schema> {
  texts.set(schema, { name, description, fields });
  return fields;
}

/** Returns a text for each of several fields. An object can replace the text of one by an entry after them. */
function textOfEach<Name extends string>(names: readonly Name[], textOf: (name: Name) => string): Record<Name, string> {
  return Object.fromEntries(names.map((name) => [name, textOf(name)])) as Record<Name, string>;
}

export const schemaTexts: ReadonlyMap<z.ZodType, SchemaText> = texts;

describe(FieldProblem, 'FieldProblem', 'One invalid field of a request.', {
  path: 'The path of the field, with names joined by dots. Empty for the request as a whole.',
  detail: 'The expected value.',
});
describe(
  Problem,
  'Problem',
  'The body of every error response, with the members of RFC 9457. Programs use `code`; `detail` is for people.',
  {
    type: 'The documentation of the code, relative to the server: `/docs/problems#…`.',
    code: 'The stable error code.',
    detail: 'A sentence that says what to do. It never repeats text of the request.',
    errors: 'The invalid fields. Present only with `validation_failed`.',
    request_id: 'The value of the header `X-Request-Id`. Search the server log for it.',
  },
);

const project = describe(
  Project,
  'Project',
  'A web app whose errors are collected. Its API key can only send reports, so it is safe to publish.',
  {
    api_key: '`pk_` followed by at least 32 random characters. Sent as `project_api_key` in reports.',
  },
);
describe(ProjectDetails, 'ProjectDetails', 'A project with its address for SDKs of Sentry.', {
  ...project,
  dsn: 'For SDKs and tools of Sentry, which send their reports to `POST /api/{project}/envelope/`.',
});
describe(ProjectInput, 'ProjectInput', 'The fields of a project.', {
  name: 'Leading and trailing spaces are removed.',
});
describe(RotatedKey, 'RotatedKey', 'The new API key of a project.', project);
describe(DroppedItems, 'DroppedItems', 'What SDKs of Sentry sent besides errors, and errors that they dropped.', {
  since: 'The start of the server.',
  sent: 'Items that were sent and are not stored, by kind: `session`, `transaction`, `replay_event`.',
  unsent: 'Errors that an SDK dropped itself, by the reason that it gave: `sample_rate`, `ratelimit_backoff`.',
});
describe(Facets, 'Facets', 'The values by which the groups of a project or team can be filtered.', {
  ...textOfEach(facetNames, () => 'Newest first.'),
  tags: `The tags that apps have set: at most ${limits.facetTags} names with ${limits.facetTagValues} values each. Those that most groups have come first.`,
});
describe(TagFacet, 'TagFacet', 'A tag and its values.');

const stored = describe(StoredReport, 'StoredReport', 'A report as stored: the sent fields within their limits.', {
  truncated:
    'The truncated fields: the original length of a text, the original number of entries or keys, or `"dropped"`.',
});
const reportFields = {
  ...stored,
  received_at: 'Time of receipt by the clock of the server.',
  frames: 'The calls of the stack, innermost first, resolved with the current source maps.',
  causes: 'The causes of the error and the members of a group of errors, each with its calls.',
};
describe(ReportDetails, 'ReportDetails', 'A stored report with its parsed and resolved stack.', reportFields);
describe(ReportSummary, 'ReportSummary', 'A stored report as listed in its group.', {
  received_at: reportFields.received_at,
});
describe(Resolution, 'Resolution', 'How the stack of a report was resolved.', {
  frames: 'In the order of the `frames` of the report.',
});
describe(FrameResolution, 'FrameResolution', 'The result for one frame.', {
  index: 'Index in the `frames` of the report, from 0.',
  file: 'Reported by the browser, like `line` and `column`.',
  maps: 'The source maps that match the frame, in order of preference. The first one is used.',
});
describe(
  ResolutionResult,
  'ResolutionResult',
  '`resolved`, or the reason why the frame is not resolved. `not_minified` and `third_party` need no source map. ' +
    '`no_location`: the stack has no location. `debug_id_mismatch`: the map with this name is from another build. ' +
    '`map_invalid`: the stored map is damaged. `source_content_missing`: file and line are correct, but the map does ' +
    'not contain the source.',
);
describe(ResolutionDetail, 'ResolutionDetail', 'Details of a result. The result determines which fields are present.', {
  release: 'Release of the report. Null if the report has none.',
  releases:
    'The releases that have a map for the file, or, if no release has one, all releases that have maps. Newest first, at most ten.',
  file: 'Name of the script without a map.',
  nearest: 'Similar names of existing maps, the most similar first, at most three.',
  expected: 'The debug id in the report.',
  found: 'The debug id of the map.',
  lines: 'The last line of the script that the map covers.',
  source:
    'The source whose content the map does not contain. Some bundlers need an option for it: `inlineSources` in TypeScript.',
});
describe(CandidateMap, 'CandidateMap', 'A source map that matches a frame.', {
  why: 'The kind of match: debug id, release and URL, release and file name, or a map without a release.',
});
describe(
  Truncated,
  'Truncated',
  'The truncated fields of a report, each with its original length or count, or `"dropped"`.',
);
describe(ErrorReport, 'ErrorReport', 'An error report. Unknown fields are ignored, and `null` means absent.', {
  project_api_key: 'The API key of the project.',
  message: 'Required and not blank, unless there is a `stacktrace`.',
  stacktrace: 'A stack trace as written by any browser or by Python, with lines separated by newlines.',
  environment: 'Any text, such as `production` or `staging`.',
  release: 'Version of the app. It selects the source maps.',
  url: 'URL of the page.',
  user_agent: 'Defaults to the `User-Agent` of the request if a page sent it.',
  metadata: 'Any additional data about the error.',
  breadcrumbs: 'Events before the error, oldest first: see `Breadcrumb`. Malformed entries are dropped.',
  type: 'Class of the error. Defaults to the class in the stack or the message.',
  timestamp: 'Time of the error.',
  event_id: 'A UUID from the client. A repeated report with the same id is counted once, for 24 hours.',
  debug_ids: 'The debug ids of the scripts in the stack, keyed by URL.',
  user: 'The affected user. Groups count distinct users.',
  sdk: 'The SDK that sent the report.',
  level: 'Defaults to `error`.',
  fingerprint:
    'Reports of a project with equal texts form one group, whatever their stack is. At most 10 texts of 200 characters.',
  tags: 'Texts by name, at most 32. They are shown with the report.',
  device: 'The window, the language and the network of the page.',
});
describe(Accepted, 'Accepted', 'The report is counted.', {
  fingerprint: '32 lower-case hexadecimal digits. Reports with the same fingerprint belong to the same group.',
  is_new_group: 'True for exactly one report of a group.',
});
describe(Breadcrumb, 'Breadcrumb', 'An event before an error.', {
  type: 'Kind of event, such as `navigation`.',
  category: 'Source of the event, such as `history`.',
});
const rawFrame = describe(RawFrame, 'RawFrame', 'The location of a frame as reported by the browser.', {
  line: 'From 1.',
  column: 'From 1.',
});
describe(
  Frame,
  'Frame',
  'One call of a stack: its original location if it is resolved, else the one from the browser.',
  {
    ...rawFrame,
    in_app:
      'True for code of the app. A script is code of the app if it is no dependency, and from the origin of the page or an origin in the URL of a source map. Frames of other files can be marked by the client.',
    resolved: 'True if a source map resolved the frame, or if its source lines came with the stack.',
    context: 'Source lines around the call. Empty if the frame is not resolved.',
  },
);
describe(ContextLine, 'ContextLine', 'One line of source.');
describe(Cause, 'Cause', 'A cause of an error, or a member of a group of errors.', {
  relation:
    '`cause`: the explicit cause of another error. `context`: the error that was being handled when another one occurred. `member`: a member of a group of errors. Null if the stack does not show the relation.',
});
describe(StoredException, 'StoredException', 'An exception as stored: the sent fields within their limits.');
describe(ExceptionFrame, 'ExceptionFrame', 'A call of an exception. Fields that the client did not send are absent.');
describe(ExceptionRelation, 'ExceptionRelation', 'How an exception relates to the one before it.');
describe(Level, 'Level', 'Severity.');

const group = describe(ErrorGroup, 'ErrorGroup', 'All reports of one problem, matched by fingerprint.', {
  fingerprint: 'Fingerprint of the report that opened the group.',
  message: 'Message of the latest report, its first 300 characters.',
  culprit: 'Function and file in which the error occurred.',
  count: 'Number of all reports, including those that are no longer stored.',
  users: 'Number of distinct `user.id` values. Exact up to 1,000, an estimate above.',
  reopened_at: 'When a report last reopened the group after it was resolved.',
  environments: 'All environments in its reports.',
  trend: 'Reports per hour (UTC) over 24 hours, oldest first. The last value is the current hour.',
});
describe(GroupDetails, 'GroupDetails', 'A group with its latest report and its most frequent tag values.', {
  ...group,
  latest_report: 'Null if no report of the group is stored any longer.',
  tags: 'The ten most frequent values of each tag.',
  other_tags: 'Number of reports, by tag, whose value `tags` does not list.',
  custom_tags: `The tags that reports were sent with, by name: at most ${limits.searchableTags} names with their ${limits.groupTagValues} most frequent values. Of each report, the first ${limits.searchableTags} tags are counted.`,
  daily: 'Reports per day (UTC) over 30 days, oldest first. The last value is today.',
  ai_summary: 'Status of the AI explanation. Null if none was requested.',
  merged: 'Number of groups that are merged into this one.',
});
describe(Notifications, 'Notifications', 'The notification settings of a project.');
describe(NotificationsInput, 'NotificationsInput', 'The notification settings of a project.');
describe(WebhookFormat, 'WebhookFormat', 'The chat product of the webhook.');
describe(ChannelName, 'NotificationChannel', 'A notification channel.');
describe(TestFailureReason, 'TestFailureReason', 'Why a test message was not delivered.');
describe(TestFailure, 'TestFailure', 'A channel that did not deliver a test message.', {
  detail: 'The reason as a sentence.',
});
describe(Recipient, 'Recipient', 'A recipient of the e-mails of a project.', {
  status: 'Only `confirmed` recipients get notifications. `declined` ones are not asked again.',
  asked_at: 'When the last mail with a link was requested. Null: never.',
});
describe(RecipientInput, 'RecipientInput', 'The address of a recipient.');
describe(TestSent, 'TestSent', 'The result of a test message.', {
  sent: 'The channels that delivered the message.',
  failed: 'The channels that did not. Absent if all delivered.',
});
describe(ExplanationStatus, 'ExplanationStatus', 'Status of an AI explanation.');
describe(ExplanationRequested, 'ExplanationRequested', 'An AI explanation is being generated.');
describe(
  Explanation,
  'Explanation',
  'An AI explanation of a group. While a new one is generated, the previous ready one remains available.',
  {
    summary: 'Markdown: what happened, likely cause, where to look, suggested fix.',
    model: 'The author: the name of the model, or `built-in`.',
    error: 'Why the last attempt failed. Null if it did not.',
    sent: 'With `receipt=true`: the exact text last sent to the provider. Null if nothing was sent.',
  },
);
describe(ExplanationQuery, 'ExplanationQuery', 'The query of an explanation.', {
  receipt: '`true` adds the field `sent`.',
});
describe(GroupStatus, 'GroupStatus', 'The status of a group.');
describe(GroupStatusInput, 'GroupStatusInput', 'The new status of a group.');
describe(TagCount, 'TagCount', 'A tag value and the number of reports that have it.');
describe(CustomTag, 'CustomTag', 'A tag that an app has set, with its most frequent values.', {
  other: 'Number of reports with another value.',
});
describe(Grouping, 'Grouping', 'The grouping strategy of a group, and the inputs of its fingerprint in order.', {
  version: 'Version of the grouping rules.',
  rule: 'The grouping strategy; `custom` if the app has set the fingerprint.',
});

describe(MergedGroup, 'MergedGroup', 'A group that is merged into another one, with its own reports only.', group);
describe(MergeInput, 'MergeInput', 'Groups to merge into a group, or to take out of it.', {
  group_ids: 'Ids of groups of the same project.',
});

const page = describe(PageQuery, 'PageQuery', 'Pagination parameters.', {
  page: 'From 1. A page past the end is empty.',
  size: 'Items per page.',
});
describe(GroupQuery, 'GroupQuery', 'Filters and order of a list of groups.', {
  ...page,
  status: 'Only groups with this status.',
  project_id: 'Only groups of this project. Defaults to all projects of the team.',
  ...textOfEach(groupFilterNames, (name) => `Only groups with a report that has this \`${name}\`.`),
  environment: 'Only groups with a report from this environment.',
  release: 'Only groups with a report of this release.',
  tag: `Only groups with this tag, as \`NAME:VALUE\`. The value is compared as a whole, with regard to case. Can be repeated up to ${limits.tagFilters} times: a group must have all of the tags. A rare value of a tag with very many values is not found.`,
  search: 'Each word must occur in type, message, culprit, release or URL.',
  sort: 'The sort key.',
  order: 'Descending or ascending. Ties are broken by id.',
});
describe(SourceMapQuery, 'SourceMapQuery', 'Filters of a list of source maps.', {
  ...page,
  release: 'Only source maps of this release.',
  hash: 'Only source maps with one of these SHA-256 hashes of the uploaded file. Can be given more than once.',
});

describe(StreamQuery, 'StreamQuery', 'The scope and starting point of a stream.', {
  project_id: 'Only events of this project. Defaults to all projects of the team.',
  last_event_id: 'Id of the last received event. The header `Last-Event-ID` takes precedence.',
});
describe(StreamEvent, 'StreamEvent', 'The data of an event. It carries the state at the time of sending.');

const pageFields = {
  total: 'Number of items on all pages.',
  pages: 'Number of pages.',
};
describe(GroupPage, 'GroupPage', 'A page of groups.', pageFields);
describe(MergedGroupPage, 'MergedGroupPage', 'A page of merged groups.', pageFields);
describe(ReportPage, 'ReportPage', 'A page of reports.', pageFields);
describe(SourceMapPage, 'SourceMapPage', 'A page of source maps.', pageFields);
describe(MemberPage, 'MemberPage', 'A page of members.', pageFields);
describe(PaymentPage, 'PaymentPage', 'A page of payments.', pageFields);
describe(RecipientPage, 'RecipientPage', 'A page of recipients.', pageFields);
describe(PersonalTokenPage, 'PersonalTokenPage', 'A page of personal access tokens.', pageFields);

const map = describe(SourceMap, 'SourceMap', 'An uploaded source map.', {
  file: 'The uploaded name without `.map`.',
  url: 'URL or path of the minified file. `~/path` matches any host.',
  debug_id: 'The debug id of the script and its map.',
  size: 'Size of the upload in bytes.',
  sources: 'Number of source files.',
});
describe(ListedSourceMap, 'ListedSourceMap', 'A source map as listed in its project.', {
  ...map,
  last_used_at: 'When the map last resolved a frame. Null if never.',
});
describe(SourceMapUsage, 'SourceMapUsage', 'The source maps of all projects of a team, and their limits.', {
  bytes: 'Size of the stored maps. They are usually smaller than the uploads.',
  expire_days: 'Days after which a map that resolves no stack is deleted.',
});
describe(SourceMapForm, 'SourceMapForm', 'The form fields of an upload.', {
  file: 'The `.map` file.',
  release: 'The release of the script.',
  url: 'URL or path of the minified file. `~/path` matches any host.',
});

describe(
  Role,
  'Role',
  'An owner has full access to the team, and in the team of the operator also to the origins. A member can do everything except manage members and origins, check out, and delete the team. A viewer has read-only access.',
);
describe(Tokens, 'Tokens', 'The tokens of a new session.', {
  access_token: 'Send it as `Authorization: Bearer …`.',
  expires_in: 'Lifetime of the access token in seconds.',
  refresh_token: 'Gets the next pair of tokens. It works once.',
});
describe(RegisterInput, 'RegisterInput', 'The fields of a new account.', { password: 'At least 10 characters.' });
describe(LoginInput, 'LoginInput', 'The credentials of a user.');
describe(LinkInput, 'LinkInput', 'The token of a one-time link.', { token: 'The part of the link after `#sign-in=`.' });
describe(SessionInput, 'SessionInput', 'The credentials of a user, or the token of a one-time link.');
describe(RefreshInput, 'RefreshInput', 'The refresh token of a session.');
describe(LogoutInput, 'LogoutInput', 'The session to end. Defaults to the session of the caller.');
describe(Me, 'Me', 'The signed-in user.', {
  name: 'Null if the user has no name.',
  email_status:
    'Whether the address was confirmed by a link. `required`: until then, the user can only read. Absent if the server sends no mail.',
});
const deletion = describe(AccountDeletion, 'AccountDeletion', 'Confirms the deletion of an account.', {
  current_password: 'The password of the caller.',
});
describe(TeamDeletion, 'TeamDeletion', 'Confirms the deletion of a team.', {
  ...deletion,
  team_name: 'The name of the team.',
});
describe(ConfirmationInput, 'ConfirmationInput', 'The token of a mailed link.', {
  token: 'The part of the link after `/confirm/`.',
  accept: 'False declines: the address gets no further mails of this team. Default: true.',
});
describe(Confirmation, 'Confirmation', 'A confirmed or declined address.', {
  kind: '`account`: the address of a user. `recipient`: an address that gets the notifications of a team.',
  team: 'Name of the team.',
});
describe(MePatch, 'MePatch', 'The changed fields of the signed-in user.', {
  current_password: 'The current password. Required with a new `password`.',
});

const token = describe(PersonalToken, 'PersonalToken', 'A personal access token, without the token itself.', {
  expires_at: 'Null if the token never expires.',
});
describe(NewPersonalToken, 'NewPersonalToken', 'A new personal access token.', {
  ...token,
  token: 'Send it as `Authorization: Bearer pat_…`. It is returned only here.',
});
describe(PersonalTokenInput, 'PersonalTokenInput', 'The fields of a personal access token.', {
  expires_at: 'A time in the future. If it is null or absent, the token never expires.',
});

const member = describe(Member, 'Member', 'A member of the team.', {
  status: 'An `invited` member has no password yet.',
});
describe(NewMember, 'NewMember', 'A new member.', {
  ...member,
  invite_url:
    'The page on which an invited member chooses a password. It works once, within 24 hours, and is returned only here.',
});
describe(MemberInput, 'MemberInput', 'The fields of a new member.', {
  password: 'If it is absent, the member is invited.',
});
describe(MemberChange, 'MemberChange', 'The changed fields of a member.', {
  password: 'A new password ends all sessions of the member.',
});
describe(InvitationInput, 'InvitationInput', 'The token of an invitation, and the chosen password.', {
  token: 'The part of the `invite_url` after `#invitation=`.',
});

describe(Origins, 'Origins', 'The origins whose pages can send reports: those in either list.', {
  origins: 'Set with `PUT /origins`.',
  from_settings: 'From the settings of the server.',
});
describe(OriginsInput, 'OriginsInput', 'The origins whose pages can send reports.', {
  origins: 'Exact origins, `https://*.example.com` for all subdomains, or `*` for any origin.',
});

describe(Plan, 'Plan', 'The monthly quotas of a team and their price.', {
  price: 'Per month, in the minor unit of the currency (cents).',
  currency: 'An ISO 4217 code.',
  error_quota: 'Reports per month. Null means unlimited.',
  ai_quota: 'AI explanations per month. Null means unlimited.',
});

describe(Usage, 'Usage', 'The usage of a team in a period.', {
  plan: 'Id of the plan.',
  period_start: 'Start of the calendar month in UTC.',
  period_end: 'Start of the next calendar month in UTC.',
  errors:
    'Reports: accepted, the quota (null means unlimited), rejected, and the time of the first rejection (null if no report was rejected).',
  ai: 'AI explanations.',
});

describe(CheckoutInput, 'CheckoutInput', 'The plan to buy.', {
  plan: 'Id of the plan.',
  provider: '`stripe` or `sandbox`, if it is configured on the server.',
});
describe(Checkout, 'Checkout', 'A new payment.', {
  payment_id: 'The payment number. Customers quote it when they ask for help.',
  checkout_url: 'The payment page.',
});
describe(Payment, 'Payment', 'A payment of a team for a plan.', {
  plan: 'Id of the plan.',
  paid_at: 'Time of payment by the clock of the provider. Null if it is not paid yet.',
  refund: 'What the provider has returned so far, in the minor unit of the currency. Absent if nothing.',
  dispute:
    'The customer has disputed the payment at the bank. `won`: the team keeps what it has paid. Absent if there is no dispute.',
});
describe(SandboxEvent, 'SandboxEvent', 'A payment event of the sandbox. Unknown fields are ignored.', {
  id: 'Id of the event. A repeated event has no effect.',
  type: '`payment.succeeded` or `payment.failed`.',
  payment_id: 'Returned by `POST /billing/checkout`.',
});
describe(Received, 'Received', 'The event was received.');

describe(NoInput, 'NoInput', 'No input: no body, or `{}`.');
