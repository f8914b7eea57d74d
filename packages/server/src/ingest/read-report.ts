import { ErrorReport, Level, limits, type KeptReport, type Truncated } from '@service/protocol';
import { fieldProblems, isRecord, isTextOrAbsent, validationFailed } from '../validation.ts';
import { cutStacktrace } from './cut-stacktrace.ts';
import { cutText } from './cut-text.ts';
import { fitBreadcrumbs } from './fit-breadcrumbs.ts';
import { fitMetadata } from './fit-metadata.ts';

/** What the request itself says of a report, used where the body is silent. */
export interface ReportRequest {
  userAgent: string | null;
  /** Milliseconds. */
  receivedAt: number;
}

type Body = Record<string, unknown>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const levels: readonly unknown[] = Level.options;

/**
 * Makes a report of a body: cut to the limits, absent fields null, and with a list of what was cut.
 * Throws `validation_failed` if a specified field has a wrong type or there is nothing to report.
 */
export function readReport(body: Body, { userAgent, receivedAt }: ReportRequest): KeptReport {
  assertTypes(body);
  const truncated: Truncated = {};
  const text = (name: string, limit: number): string | null => {
    const value = body[name];
    if (typeof value !== 'string') return null;
    if (value.length <= limit) return value;
    truncated[name] = value.length;
    return cutText(value, limit);
  };
  const extra = <Value>(name: string, read: (value: unknown) => Value | null): Value | null => {
    const value = body[name];
    if (value === undefined || value === null) return null;
    const readable = read(value);
    if (readable === null) truncated[name] = 'dropped';
    return readable;
  };

  const stacktrace = typeof body.stacktrace === 'string' ? body.stacktrace : null;
  return {
    message: text('message', limits.messageChars) ?? '',
    stacktrace: stacktrace === null ? null : cutStacktrace(stacktrace, truncated),
    environment: text('environment', limits.environmentChars),
    release: text('release', limits.releaseChars),
    url: text('url', limits.urlChars),
    user_agent: text('user_agent', limits.userAgentChars) ?? (userAgent && cutText(userAgent, limits.userAgentChars)),
    metadata: fitMetadata((body.metadata ?? {}) as Body, truncated),
    breadcrumbs: fitBreadcrumbs((body.breadcrumbs ?? []) as unknown[], receivedAt, truncated),
    type: extra('type', isText) && text('type', limits.typeChars),
    timestamp: extra('timestamp', isTime),
    event_id: extra('event_id', (value) =>
      typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : null,
    ),
    debug_ids: extra('debug_ids', (value) => readDebugIds(value, truncated)) ?? {},
    user: extra('user', (value) => readUser(value, truncated)),
    sdk: extra('sdk', readSdk),
    level: extra('level', (value) => (levels.includes(value) ? (value as Level) : null)) ?? 'error',
    truncated,
  };
}

/** The fields that the specification names must be of their type; a quick look decides, zod words the refusal. */
function assertTypes(body: Body): void {
  const right =
    isTextOrAbsent(body.message) &&
    isTextOrAbsent(body.stacktrace) &&
    isTextOrAbsent(body.environment) &&
    isTextOrAbsent(body.release) &&
    isTextOrAbsent(body.url) &&
    isTextOrAbsent(body.user_agent) &&
    (body.metadata === undefined || body.metadata === null || isRecord(body.metadata)) &&
    (body.breadcrumbs === undefined || body.breadcrumbs === null || Array.isArray(body.breadcrumbs));
  if (!right) throw validationFailed(fieldProblems(ErrorReport.safeParse(body)));
  if (isBlank(body.message) && isBlank(body.stacktrace)) {
    throw validationFailed([{ path: 'message', detail: 'expected some text here or in stacktrace' }]);
  }
}

function isBlank(value: unknown): boolean {
  return typeof value !== 'string' || value.trim() === '';
}

function isText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function isTime(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64 || !/^\d{4}-\d\d-\d\d[T ]/.test(value)) return null;
  return Number.isNaN(Date.parse(value)) ? null : value;
}

function readUser(value: unknown, truncated: Truncated): { id: string } | null {
  if (!isRecord(value) || typeof value.id !== 'string') return null;
  if (value.id.length > limits.userIdChars) truncated.user = value.id.length;
  return { id: cutText(value.id, limits.userIdChars) };
}

function readSdk(value: unknown): KeptReport['sdk'] {
  if (!isRecord(value) || typeof value.name !== 'string' || typeof value.version !== 'string') return null;
  return { name: cutText(value.name, limits.sdkChars), version: cutText(value.version, limits.sdkChars) };
}

function readDebugIds(value: unknown, truncated: Truncated): Record<string, string> | null {
  if (!isRecord(value)) return null;
  const all = Object.entries(value);
  const readable = all.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1].length <= 64 && entry[0].length <= limits.urlChars,
  );
  if (readable.length < all.length || readable.length > limits.debugIds) truncated.debug_ids = all.length;
  return Object.fromEntries(readable.slice(0, limits.debugIds));
}
