import { ErrorGroup, GroupDetails, GroupQuery, GroupStatusInput } from '../group.ts';
import { PageQuery } from '../page.ts';
import { paths } from '../paths.ts';
import { Accepted, ErrorReport, ReportDetails, ReportSummary } from '../report.ts';
import { Resolution } from '../resolution.ts';
import type { Operation, PathParameter } from './operation.ts';
import { pageExample, pageSchema } from './page-schema.ts';

export const GroupPage = pageSchema(ErrorGroup);
export const ReportPage = pageSchema(ReportSummary);

const inGroup = {
  group_id: { description: 'Id of the error group.', problem: 'group_not_found' },
} as const satisfies Record<string, PathParameter>;

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
};

const acceptedExample: Accepted = {
  success: true,
  error_group_id: 7,
  fingerprint: '5a0c3f6f0d2b4e9c8b7a6d5e4f3c2b1a',
  is_new_group: true,
};

export const groupExample: ErrorGroup = {
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
  resolved_at: null,
  reopened_at: null,
  reopen_count: 0,
  environments: ['production'],
  first_release: '1.2.0',
  last_release: '1.2.3',
  trend: [...Array<number>(21).fill(0), 12, 27, 3],
};

const resolvedExample: ErrorGroup = { ...groupExample, status: 'resolved', resolved_at: '2026-11-20T11:30:00.000Z' };

const raw = { function: 'checkout', file: 'https://shop.example/assets/app-C3nU.js', line: 1, column: 2048 };

const reportExample: ReportDetails = {
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
  timestamp: null,
  event_id: '3f8f6a52-58a1-4d6b-9d0c-0a4c8f0e7b11',
  debug_ids: {},
  user: { id: '8123' },
  sdk: null,
  level: 'error',
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
};

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
  daily: [...Array<number>(29).fill(0), 42],
  ai_summary: null,
  grouping: { version: 1, rule: 'source', components: ['undefined-property', 'src/cart.ts', 'checkout'] },
};

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
      'For SDKs and scripts: the key of the project goes along in the body, and no header is needed. A 200 means that the report is stored and counted, once.',
      'Only `project_api_key` and a `message` are required, and no `message` if there is a `stacktrace`. Whatever is too long is cut rather than refused, and the stored report tells in `truncated` what was. A body may have 1 MiB, and may come with `Content-Encoding: gzip`.',
      'A client that makes an `event_id` may send a report again: the repeat is answered as the first one was, and is not counted. 429 means that the quota of the plan is used up; the SDK then stays silent until its page is reloaded.',
      'Pages may send reports if their origin is on the allow-list of the operator.',
    ].join('\n\n'),
    auth: 'api_key',
    body: { type: 'application/json', schema: ErrorReport, example: sentExample },
    answers: { 200: { description: 'The report is stored.', body: { schema: Accepted, example: acceptedExample } } },
    problems: ['invalid_api_key', 'origin_not_allowed', 'error_quota_exhausted', 'overloaded'],
  },
  {
    id: 'listGroups',
    method: 'get',
    path: paths.errors,
    tag: 'Errors',
    summary: 'List and search error groups',
    description:
      '`total` and `pages` are of what the filters let through; the `count` of a group is of all its reports. Groups move between pages while reports come in.',
    auth: 'bearer',
    query: GroupQuery,
    answers: {
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
    parameters: inGroup,
    answers: { 200: { description: 'The group.', body: { schema: GroupDetails, example: detailsExample } } },
  },
  {
    id: 'deleteGroup',
    method: 'delete',
    path: paths.group,
    tag: 'Errors',
    summary: 'Delete a group and its reports',
    description: 'If the error comes again it makes a new group, with a new id.',
    auth: 'bearer',
    role: 'member',
    parameters: inGroup,
    answers: { 204: { description: 'The group is gone.', body: null } },
  },
  {
    id: 'setGroupStatus',
    method: 'patch',
    path: paths.groupStatus,
    tag: 'Errors',
    summary: 'Resolve a group, or make it active again',
    description: 'A resolved group that gets another report becomes active by itself.',
    auth: 'bearer',
    role: 'member',
    parameters: inGroup,
    body: { type: 'application/json', schema: GroupStatusInput, example: { status: 'resolved' } },
    answers: {
      200: { description: 'The group as it is now.', body: { schema: ErrorGroup, example: resolvedExample } },
    },
  },
  {
    id: 'listReports',
    method: 'get',
    path: paths.reports,
    tag: 'Errors',
    summary: 'List the kept reports of a group',
    description: 'Newest first. Counts are of all reports; of each group the first and the newest ones are kept whole.',
    auth: 'bearer',
    parameters: inGroup,
    query: PageQuery,
    answers: {
      200: { description: 'A page of reports.', body: { schema: ReportPage, example: pageExample(summaryExample) } },
    },
  },
  {
    id: 'getReport',
    method: 'get',
    path: paths.report,
    tag: 'Errors',
    summary: 'Get a kept report',
    auth: 'bearer',
    parameters: { ...inGroup, report_id: { description: 'Id of the report.', problem: 'report_not_found' } },
    answers: { 200: { description: 'The report.', body: { schema: ReportDetails, example: reportExample } } },
  },
  {
    id: 'getResolution',
    method: 'get',
    path: paths.resolution,
    tag: 'Errors',
    summary: 'Tell why frames are resolved, or why not',
    description:
      'Of the latest report of the group, by the source maps there are now. Each frame says what became of it, and which maps may serve it.',
    auth: 'bearer',
    parameters: inGroup,
    answers: {
      200: { description: 'What became of each frame.', body: { schema: Resolution, example: resolutionExample } },
    },
    problems: ['report_not_found'],
  },
];
