import {
  ErrorGroup,
  Facets,
  GroupDetails,
  GroupQuery,
  GroupStatusInput,
  MergedGroup,
  MergeInput,
  type SimilarGroup,
  SimilarGroups,
  type TagCount,
} from '../group.ts';
import { limits } from '../limits.ts';
import { PageQuery } from '../pagination.ts';
import { paths } from '../paths.ts';
import { Accepted, ErrorReport, ReportDetails, ReportSummary } from '../report.ts';
import { Resolution } from '../resolution.ts';
import { completeExample } from './complete-example.ts';
import type { Operation } from './operation.ts';
import { pageExample, pageSchema } from './page-schema.ts';
import { groupParameters } from './path-parameters.ts';

export const GroupPage = pageSchema(ErrorGroup);
export const MergedGroupPage = pageSchema(MergedGroup);
export const ReportPage = pageSchema(ReportSummary);

const sentExample: ErrorReport = {
  project_api_key: 'pk_6mJ0r7sXkQeW1tYb3uVhLdZaNpGc9fRx',
  message: "Cannot read properties of undefined (reading 'items')",
  stacktrace:
    "TypeError: Cannot read properties of undefined (reading 'items')\n    at checkout (https://shop.example/assets/app-C3nU.js:1:2048)",
  environment: 'production',
  release: '1.2.3',
  url: 'https://shop.example/cart',
  user_agent: 'Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0',
  metadata: { cart: 3 },
  breadcrumbs: [
    { timestamp: '2026-11-20T08:59:58.000Z', type: 'navigation', category: 'history', data: { to: '/cart' } },
  ],
  event_id: '3f8f6a52-58a1-4d6b-9d0c-0a4c8f0e7b11',
  user: { id: '8123' },
  tags: { checkout: 'express' },
  device: { viewport: '1280x720', language: 'en', connection: '4g' },
};

const acceptedExample: Accepted = {
  success: true,
  error_group_id: 7,
  fingerprint: '5a0c3f6f0d2b4e9c8b7a6d5e4f3c2b1a',
  is_new_group: true,
};

export const groupExample = completeExample(ErrorGroup, {
  error_group_id: 7,
  project_id: 1,
  fingerprint: '5a0c3f6f0d2b4e9c8b7a6d5e4f3c2b1a',
  status: 'active',
  type: 'TypeError',
  message: "Cannot read properties of undefined (reading 'items')",
  culprit: 'checkout (src/cart.ts)',
  level: 'error',
  count: 42,
  users: 5,
  first_seen: '2026-11-20T09:00:00.000Z',
  last_seen: '2026-11-20T11:12:13.000Z',
  reopen_count: 0,
  environments: ['production'],
  first_release: '1.2.0',
  last_release: '1.2.3',
  trend: [...Array<number>(21).fill(0), 12, 27, 3],
});

const mergedExample: MergedGroup = {
  ...groupExample,
  error_group_id: 9,
  fingerprint: '0b9d5a1e7c3f4268a1d4e6f8b2c5d7e9',
  count: 8,
  merged_at: '2026-11-20T11:40:00.000Z',
};

const similarExample: SimilarGroup = {
  ...groupExample,
  error_group_id: 12,
  fingerprint: '7d1f0c9b3a5e4826b4c8d2e6f1a3b5c7',
  culprit: 'itemsOf (src/cart.ts)',
  count: 3,
  users: 2,
  reason: 'fault',
};

const resolvedExample: ErrorGroup = { ...groupExample, status: 'resolved', resolved_at: '2026-11-20T11:30:00.000Z' };

const raw = { function: 'checkout', file: 'https://shop.example/assets/app-C3nU.js', line: 1, column: 2048 };

const reportExample = completeExample(ReportDetails, {
  id: 1042,
  error_group_id: 7,
  received_at: '2026-11-20T11:12:13.000Z',
  message: "Cannot read properties of undefined (reading 'items')",
  stacktrace: sentExample.stacktrace ?? null,
  environment: 'production',
  release: '1.2.3',
  url: 'https://shop.example/cart',
  user_agent: sentExample.user_agent ?? null,
  metadata: { cart: 3 },
  breadcrumbs: [
    { timestamp: '2026-11-20T08:59:58.000Z', type: 'navigation', category: 'history', data: { to: '/cart' } },
  ],
  type: 'TypeError',
  event_id: '3f8f6a52-58a1-4d6b-9d0c-0a4c8f0e7b11',
  debug_ids: {},
  user: { id: '8123' },
  level: 'error',
  tags: { checkout: 'express' },
  device: { viewport: '1280x720', language: 'en', connection: '4g' },
  truncated: {},
  frames: [
    {
      function: 'checkout',
      file: 'src/cart.ts',
      line: 12,
      column: 23,
      in_app: true,
      resolved: true,
      context: [
        { line: 11, text: 'export function checkout(cart?: Cart): number {' },
        { line: 12, text: '  return total(cart.items);' },
        { line: 13, text: '}' },
      ],
      raw,
    },
  ],
  causes: [],
});

const resolutionExample: Resolution = {
  report_id: 1042,
  frames: [
    {
      index: 0,
      file: raw.file,
      line: raw.line,
      column: raw.column,
      result: 'resolved',
      detail: {},
      maps: [{ id: 3, file: 'app-C3nU.js', release: '1.2.3', url: null, why: 'release_file' }],
    },
    {
      index: 1,
      file: 'https://shop.example/assets/vendor-9c1d.js',
      line: 1,
      column: 512,
      result: 'no_map_for_file',
      detail: { file: 'vendor-9c1d.js', nearest: ['vendor-71ab.js'] },
      maps: [],
    },
  ],
};

const detailsExample: GroupDetails = {
  ...groupExample,
  latest_report: reportExample,
  tags: {
    environment: [{ value: 'production', count: 42 }],
    release: [
      { value: '1.2.3', count: 30 },
      { value: '1.2.0', count: 12 },
    ],
    browser: [{ value: 'Firefox 145', count: 42 }],
    os: [{ value: 'Linux', count: 42 }],
    url: [{ value: 'https://shop.example/cart', count: 42 }],
  },
  other_tags: { environment: 0, release: 0, browser: 0, os: 0, url: 0 },
  custom_tags: [{ name: 'checkout', values: [{ value: 'express', count: 40 }], other: 0 }],
  daily: [...Array<number>(29).fill(0), 42],
  ai_summary: null,
  grouping: { version: 1, rule: 'source', components: ['undefined-property', 'src/cart.ts', 'checkout'] },
  merged: 1,
};

/** The values that `detailsExample` counts: `releases` has those of the tag `release`. */
export const facetsExample = {
  ...Object.fromEntries(Object.keys(Facets.shape).map((name) => [name, countedValues(name.replace(/s$/, ''))])),
  tags: [{ name: 'checkout', values: ['express', 'classic'] }],
} as Facets;

function countedValues(tag: string): string[] {
  const counts: Readonly<Partial<Record<string, readonly TagCount[]>>> = detailsExample.tags;
  return counts[tag]?.map(({ value }) => value) ?? [];
}

const { id, received_at, message, release, environment, url, user } = reportExample;
const summaryExample: ReportSummary = { id, received_at, message, release, environment, url, user };

export const errorOperations: Operation[] = [
  {
    id: 'reportError',
    method: 'post',
    path: paths.errors,
    tag: 'Errors',
    summary: 'Report an error',
    description: [
      'Used by SDKs and scripts. The key of the project is part of the body, and no header is required. A 200 means that the report is counted exactly once, and that the storage has confirmed it. The report itself is stored if it is one of the first or newest of its group and its project has room for it.',
      '`project_api_key` is required, and so is a `message` or a `stacktrace`. Values that are too long are truncated, not rejected; the stored report lists them in `truncated`. The body is limited to 1 MiB and can be sent with `Content-Encoding: gzip`.',
      `\`exceptions\` has the frames of an error and of its causes as fields, with source lines: at most ${limits.exceptions} exceptions, ${limits.exceptionFrames} frames of each and ${limits.contextLines} lines of ${limits.contextLineChars} characters around a frame. They group the report and are shown instead of the frames in \`stacktrace\`.`,
      'A client that sets an `event_id` can safely retry: a repeated report gets the first response again and is not counted. 429 means that the quota of the plan is used up. The browser SDK then sends nothing until the page is reloaded.',
      'A web page can send reports only if its origin is on the allow-list of the server.',
    ].join('\n\n'),
    auth: 'api_key',
    body: { type: 'application/json', schema: ErrorReport, example: sentExample },
    responses: { 200: { description: 'The report is counted.', body: { schema: Accepted, example: acceptedExample } } },
    problems: ['invalid_api_key', 'origin_not_allowed', 'team_disabled', 'error_quota_exhausted', 'overloaded'],
  },
  {
    id: 'listGroups',
    method: 'get',
    path: paths.errors,
    tag: 'Errors',
    summary: 'List and search error groups',
    description:
      '`total` and `pages` count the groups that match the filters. The `count` of a group covers all its reports. Groups can move between pages while reports arrive.',
    auth: 'bearer',
    query: GroupQuery,
    responses: {
      200: { description: 'A page of groups.', body: { schema: GroupPage, example: pageExample(groupExample) } },
    },
    problems: ['project_not_found'],
  },
  {
    id: 'getGroup',
    method: 'get',
    path: paths.group,
    tag: 'Errors',
    summary: 'Get a group with its latest report',
    auth: 'bearer',
    parameters: groupParameters,
    responses: { 200: { description: 'The group.', body: { schema: GroupDetails, example: detailsExample } } },
  },
  {
    id: 'deleteGroup',
    method: 'delete',
    path: paths.group,
    tag: 'Errors',
    summary: 'Delete a group and its reports',
    description:
      'If the error occurs again, it opens a new group with a new id. The groups that are merged into the deleted group are deleted as well. The id of a merged group is rejected with 409.',
    auth: 'bearer',
    role: 'member',
    parameters: groupParameters,
    responses: { 204: { description: 'The group is deleted.', body: null } },
    problems: ['conflict'],
  },
  {
    id: 'setGroupStatus',
    method: 'patch',
    path: paths.groupStatus,
    tag: 'Errors',
    summary: 'Resolve or reactivate a group',
    description: 'A resolved group is reopened automatically when it receives another report.',
    auth: 'bearer',
    role: 'member',
    parameters: groupParameters,
    body: { type: 'application/json', schema: GroupStatusInput, example: { status: 'resolved' } },
    responses: {
      200: { description: 'The updated group.', body: { schema: ErrorGroup, example: resolvedExample } },
    },
  },
  {
    id: 'mergeGroups',
    method: 'post',
    path: paths.mergeGroups,
    tag: 'Errors',
    summary: 'Merge groups into this one',
    description: [
      'From then on, the group in the path also shows the reports of the merged groups: counts, users and trends are added up, `first_seen` is the earliest and `last_seen` the latest one. Its status and its id do not change. Later reports with a fingerprint of a merged group belong to it. Requests with the id of a merged group apply to this group, whose id is the `error_group_id` in the response; only `DELETE` rejects it with 409.',
      `All groups must belong to one project. At most ${limits.mergedGroups} groups can be merged into one, and ${limits.mergedGroupsOfProject} in a project. Groups that are already merged into the group in the path stay merged. Returns 409 above these limits, or if one of the groups is merged into a third group.`,
    ].join('\n\n'),
    auth: 'bearer',
    role: 'member',
    parameters: groupParameters,
    body: { type: 'application/json', schema: MergeInput, example: { group_ids: [9, 12] } },
    responses: {
      200: { description: 'The group after the merge.', body: { schema: ErrorGroup, example: groupExample } },
    },
    problems: ['conflict'],
  },
  {
    id: 'unmergeGroups',
    method: 'post',
    path: paths.unmergeGroups,
    tag: 'Errors',
    summary: 'Take merged groups out of this one',
    description:
      'Each group is listed again under its own id, with the reports that it had and those that arrived with its fingerprint since. The counts are exact, because a merged group keeps its own counts. Groups that were merged into it stay merged into it.',
    auth: 'bearer',
    role: 'member',
    parameters: groupParameters,
    body: { type: 'application/json', schema: MergeInput, example: { group_ids: [9] } },
    responses: {
      200: { description: 'The group without the others.', body: { schema: ErrorGroup, example: groupExample } },
    },
    problems: ['conflict'],
  },
  {
    id: 'listMergedGroups',
    method: 'get',
    path: paths.mergedGroups,
    tag: 'Errors',
    summary: 'List the groups that are merged into this one',
    description: 'The group that was merged last comes first. Each counts only its own reports.',
    auth: 'bearer',
    parameters: groupParameters,
    query: PageQuery,
    responses: {
      200: { description: 'A page of groups.', body: { schema: MergedGroupPage, example: pageExample(mergedExample) } },
    },
  },
  {
    id: 'listSimilarGroups',
    method: 'get',
    path: paths.similarGroups,
    tag: 'Errors',
    summary: 'List groups that may be the same bug',
    description: [
      'No fingerprint can know that a message was reworded, a function was extracted, or that reports came before their source map. These groups of the same project are suggestions: nothing is merged. The most likely one comes first.',
      '`source_map`: with the current source maps, the reports of both groups have the same fingerprint. `fault`: the same engine error or the same message, in the same file or function. `location`: the same function, and a similar message.',
      `At most ${limits.similarGroups} groups.`,
    ].join('\n\n'),
    auth: 'bearer',
    parameters: groupParameters,
    responses: {
      200: { description: 'The groups.', body: { schema: SimilarGroups, example: { items: [similarExample] } } },
    },
  },
  {
    id: 'listReports',
    method: 'get',
    path: paths.reports,
    tag: 'Errors',
    summary: 'List the stored reports of a group',
    description:
      'Newest first. Only the first and the newest reports of a group are stored in full. Counts cover all reports.',
    auth: 'bearer',
    parameters: groupParameters,
    query: PageQuery,
    responses: {
      200: { description: 'A page of reports.', body: { schema: ReportPage, example: pageExample(summaryExample) } },
    },
  },
  {
    id: 'getReport',
    method: 'get',
    path: paths.report,
    tag: 'Errors',
    summary: 'Get a stored report',
    auth: 'bearer',
    parameters: { ...groupParameters, report_id: { description: 'Id of the report.', problem: 'report_not_found' } },
    responses: { 200: { description: 'The report.', body: { schema: ReportDetails, example: reportExample } } },
  },
  {
    id: 'getResolution',
    method: 'get',
    path: paths.resolution,
    tag: 'Errors',
    summary: 'Explain how the stack was resolved',
    description:
      'Covers the latest report of the group with the current source maps. Each frame has a result and the source maps that match it.',
    auth: 'bearer',
    parameters: groupParameters,
    responses: {
      200: { description: 'The result of each frame.', body: { schema: Resolution, example: resolutionExample } },
    },
    problems: ['report_not_found'],
  },
];
