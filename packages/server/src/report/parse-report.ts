import { type Device, Level, limits, type StoredReport, type Truncated, type User } from '@service/protocol';
import { readMessage } from '../stack/heading.ts';
import { stackOfExceptions } from '../stack/exception-stack.ts';
import { parseStack } from '../stack/parse-stack.ts';
import type { ParsedStack } from '../stack/parsed-stack.ts';
import type { SentJson } from '../validation/json.ts';
import { isRecord } from '../validation/validation.ts';
import { isBlank } from './assert-report-fields.ts';
import { truncateStacktrace } from './truncate-stacktrace.ts';
import { truncateText } from './truncate-text.ts';
import { fitBreadcrumbs } from './fit-breadcrumbs.ts';
import { fitExceptions } from './fit-exceptions.ts';
import { fitMetadata } from './fit-metadata.ts';

/** A report as a client sent it, before parsing. */
export interface SentReport {
  /** The request body. */
  readonly json: SentJson;
  /** The `User-Agent` header. Used if the body has no user agent. */
  readonly userAgent: string | null;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
  /** Returns the fields that only details need, if the body does not have them. */
  readonly details?: () => Body;
}

type Body = Record<string, unknown>;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const acceptedLevels: readonly unknown[] = Level.options;

/** A report after parsing: truncated to the limits, with its stack trace parsed. */
export interface ParsedReport {
  /**
   * The fields that grouping, the log and lists need, read without `details`. Of an event from Sentry, they can only be
   * read from fields that `eventToReport` puts in its `facts`; `metadata`, for example, is not among these.
   */
  readonly facts: Omit<
    StoredReport,
    'metadata' | 'breadcrumbs' | 'timestamp' | 'sdk' | 'device' | 'exceptions' | 'truncated'
  >;
  readonly stack: ParsedStack;
  /** True if the body has a user agent. Otherwise only the request header may have one. */
  readonly hasUserAgent: boolean;
  /** Returns all fields. Lazy because most reports are only counted, and only details need the other fields. */
  whole(): StoredReport;
}

/**
 * Parses the body of a report: truncates each field to its limit, sets absent fields to null or their default, such as
 * the level `error`, and lists the truncated fields. If the client did not send them, takes the message from the stack
 * trace, and the type from the stack trace or else from the message. Expects a body that `assertReportFields` accepts.
 */
export function parseReport(
  body: Body,
  { userAgent, receivedAt, details = () => body }: Omit<SentReport, 'json'>,
): ParsedReport {
  const truncated: Truncated = {};
  const fields = new FieldReader(truncated);
  const stacktrace = typeof body.stacktrace === 'string' ? truncateStacktrace(body.stacktrace, truncated) : null;
  const exceptions = fields.extra('exceptions', body.exceptions, (value) => fitExceptions(value, truncated));
  const stack = stackOf({ exceptions, stacktrace });
  const sentMessage = isBlank(body.message) ? null : fields.text('message', body.message, limits.messageChars);
  const message = sentMessage ?? messageFromStack(stack, stacktrace ?? '');
  const sentType = fields.extraText('type', body.type, limits.typeChars);
  const facts: ParsedReport['facts'] = {
    message,
    stacktrace,
    environment: fields.text('environment', body.environment, limits.environmentChars),
    release: fields.text('release', body.release, limits.releaseChars),
    url: fields.text('url', body.url, limits.urlChars),
    user_agent: fields.text('user_agent', body.user_agent ?? userAgent, limits.userAgentChars),
    type: sentType?.trim() ? sentType : (stack.type ?? readMessage(message).type),
    event_id: fields.extra('event_id', body.event_id, readReportEventId),
    debug_ids: fields.extra('debug_ids', body.debug_ids, (value) => readDebugIds(value, truncated)) ?? {},
    user: fields.extra('user', body.user, (value) => readUser(value, fields)),
    level: fields.extra('level', body.level, readLevel) ?? 'error',
    fingerprint: fields.extra('fingerprint', body.fingerprint, (value) => readFingerprint(value, truncated)),
    tags: fields.extra('tags', body.tags, (value) => readTags(value, truncated)) ?? {},
  };
  return {
    facts,
    stack,
    hasUserAgent: typeof body.user_agent === 'string',
    whole() {
      const { timestamp, sdk, device, metadata, breadcrumbs } = details();
      return {
        ...facts,
        timestamp: fields.extra('timestamp', timestamp, readTime),
        sdk: fields.extra('sdk', sdk, (value) => readSdk(value, truncated)),
        device: fields.extra('device', device, (value) => readDevice(value, fields)),
        exceptions,
        metadata: fitMetadata((metadata ?? {}) as Body, truncated),
        breadcrumbs: fitBreadcrumbs((breadcrumbs ?? []) as unknown[], receivedAt, truncated),
        truncated,
      };
    },
  };
}

/** Returns the stack of a report. Structured exceptions have more details than the text. */
export function stackOf({ exceptions, stacktrace }: Pick<StoredReport, 'exceptions' | 'stacktrace'>): ParsedStack {
  return (exceptions && stackOfExceptions(exceptions)) ?? parseStack(stacktrace ?? '');
}

/** Reads fields of a body and records each field that was truncated or dropped. */
class FieldReader {
  readonly #truncated: Truncated;

  constructor(truncated: Truncated) {
    this.#truncated = truncated;
  }

  text(name: string, value: unknown, limit: number): string | null {
    if (typeof value !== 'string') return null;
    if (value.length <= limit) return value;
    this.#truncated[name] = value.length;
    return truncateText(value, limit);
  }

  /** Returns the texts of an object that the client sent. Skips absent fields and drops those that are not text. */
  texts<Name extends string>(
    parent: string,
    body: Body,
    namesAndLimits: Readonly<Record<Name, number>>,
  ): { [name in Name]?: string } {
    const texts: { [name in Name]?: string } = {};
    for (const name of Object.keys(namesAndLimits) as Name[]) {
      const path = `${parent}.${name}`;
      const text = this.extraText(path, body[name], namesAndLimits[name]);
      if (text !== null) texts[name] = text;
    }
    return texts;
  }

  extraText(name: string, value: unknown, limit: number): string | null {
    return this.text(name, this.extra(name, value, readString), limit);
  }

  extra<Value>(name: string, value: unknown, read: (value: unknown) => Value | null): Value | null {
    if (value === undefined || value === null) return null;
    const readable = read(value);
    if (readable === null) this.#truncated[name] = 'dropped';
    return readable;
  }
}

function readString(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function readTime(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 64 || !/^\d{4}-\d\d-\d\d[T ]/.test(value)) return null;
  return Number.isNaN(Date.parse(value)) ? null : value;
}

/** Returns the id by which a repeated report is recognized, or null if the value is no UUID. */
export function readReportEventId(value: unknown): string | null {
  return typeof value === 'string' && uuid.test(value) ? value.toLowerCase() : null;
}

function readLevel(value: unknown): Level | null {
  return acceptedLevels.includes(value) ? (value as Level) : null;
}

/** Returns the line of a trace that describes the error. Browsers write it first, Python last. */
function messageFromStack({ type, message }: ParsedStack, stacktrace: string): string {
  const first = firstLine(stacktrace);
  if (type === null || first.includes(type)) return first;
  return truncateText(message === null ? type : `${type}: ${message}`, limits.messageChars);
}

function firstLine(text: string): string {
  const start = text.search(/\S/);
  const end = text.indexOf('\n', start);
  return text.slice(start, end < 0 ? undefined : end).trimEnd();
}

const userTexts = { name: limits.reportTextChars, email: limits.reportTextChars };

function readUser(value: unknown, fields: FieldReader): User | null {
  if (!isRecord(value) || typeof value.id !== 'string') return null;
  const id = fields.text('user', value.id, limits.reportTextChars) ?? '';
  return { id, ...fields.texts('user', value, userTexts) };
}

function readSdk(value: unknown, truncated: Truncated): StoredReport['sdk'] {
  if (!isRecord(value) || typeof value.name !== 'string' || typeof value.version !== 'string') return null;
  const { name, version } = value;
  const longest = Math.max(name.length, version.length);
  if (longest > limits.reportTextChars) truncated.sdk = longest;
  return { name: truncateText(name, limits.reportTextChars), version: truncateText(version, limits.reportTextChars) };
}

function readDebugIds(value: unknown, truncated: Truncated): Record<string, string> | null {
  if (!isRecord(value)) return null;
  const all = Object.entries(value);
  const readable = all.filter(
    (entry): entry is [string, string] =>
      typeof entry[1] === 'string' && entry[1].length <= limits.debugIdChars && entry[0].length <= limits.urlChars,
  );
  if (readable.length < all.length || readable.length > limits.debugIds) truncated.debug_ids = all.length;
  return Object.fromEntries(readable.slice(0, limits.debugIds));
}

/**
 * Returns null unless the value is a list of texts that is not too long: without the last ones, reports that differ
 * would form one group.
 */
function readFingerprint(value: unknown, truncated: Truncated): readonly string[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > limits.fingerprintTexts) return null;
  const texts = value.filter((text) => typeof text === 'string');
  if (texts.length < value.length) return null;
  const longest = Math.max(...texts.map((text) => text.length));
  if (longest > limits.fingerprintChars) truncated.fingerprint = longest;
  return texts.map((text) => truncateText(text, limits.fingerprintChars));
}

/** Returns the first tags. Drops those whose name is blank or too long, and those whose value is no text. */
function readTags(value: unknown, truncated: Truncated): Record<string, string> | null {
  if (!isRecord(value)) return null;
  const all = Object.entries(value);
  const tags = all
    .filter((entry): entry is [string, string] => isTagName(entry[0]) && typeof entry[1] === 'string')
    .slice(0, limits.tags);
  if (tags.length < all.length || tags.some(([, text]) => text.length > limits.tagValueChars))
    truncated.tags = all.length;
  return Object.fromEntries(tags.map(([name, text]) => [name, truncateText(text, limits.tagValueChars)]));
}

function isTagName(name: string): boolean {
  return name.trim() !== '' && name.length <= limits.tagNameChars;
}

const deviceTexts = {
  viewport: limits.deviceChars,
  language: limits.deviceChars,
  connection: limits.deviceChars,
} satisfies Record<keyof Device, number>;

function readDevice(value: unknown, fields: FieldReader): Device | null {
  return isRecord(value) ? fields.texts('device', value, deviceTexts) : null;
}
