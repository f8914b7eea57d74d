import { hash } from 'node:crypto';
import { Level, limits, type ErrorReport } from '@service/protocol';
import { readExceptions, type EventExceptions } from './event-exceptions.ts';
import { type EventFields, itemsOf, millisecondsOf, pairsOf, eventFields, eventText, timeOf } from './event-values.ts';
import { assertJsonComplexity } from '../validation/assert-json-complexity.ts';
import { removedText } from '../scrub/removed-text.ts';
import { queryWithoutSecrets, textWithoutSecrets, valueWithoutSecrets } from '../scrub/remove-named-secrets.ts';
import { isCachedSecretName } from '../scrub/secret-name.ts';
import { isRecord } from '../validation/validation.ts';

/** Facts about an event that it does not contain. */
export interface EventOrigin {
  /** The API key of its project. */
  apiKey: string;
  /** A UUID. */
  eventId: string;
  /** When the SDK sent the envelope, by its own clock. Its type may be wrong. */
  sentAt: unknown;
  /** Milliseconds since 1970. */
  receivedAt: number;
}

/** A smaller difference between the clocks counts as the duration of the request. */
const minClockDriftMs = 60_000;

/** The report of an event. Like a `ParsedReport`, it makes the fields that only details need on demand. */
export interface EventReport {
  /** The fields that grouping, the log and lists need. */
  readonly facts: ErrorReport;
  /** Returns all fields. Lazy because most events are only counted. */
  whole(): ErrorReport;
}

/**
 * Converts an event of a Sentry SDK into the body of POST /errors. Ignores values of a wrong type. Leaves out cookies,
 * secrets, local variables and lists of packages.
 */
export function eventToReport(event: EventFields, origin: EventOrigin): EventReport {
  const { text, template } = messageOf(event);
  const { exceptions, componentStack } = readExceptions(event, text);
  const [error] = exceptions;
  const request = eventFields(event.request);
  const facts: ErrorReport = {
    project_api_key: origin.apiKey,
    message: [error?.message, text, error?.type].find((candidate) => candidate?.trim()) ?? '<unlabeled event>',
    type: error?.type ?? null,
    exceptions: exceptions.length > 0 ? exceptions : null,
    environment: eventText(event.environment) ?? null,
    release: eventText(event.release) ?? null,
    url: textWithoutSecrets(eventText(request.url) ?? '') || null,
    user_agent: visitorAgentOf(request) ?? null,
    event_id: origin.eventId,
    debug_ids: debugIdsOf(event),
    user: userOf(eventFields(event.user)),
    level: levelOf(event.level, exceptions),
    fingerprint: fingerprintOf(event.fingerprint) ?? (isMessage(exceptions) ? fingerprintOfTemplate(template) : null),
    tags: tagsOf(event.tags),
  };
  return {
    facts,
    whole: () => ({
      ...facts,
      timestamp: timeOf(event.timestamp, clockDriftMs(origin)) ?? null,
      sdk: sdkOf(eventFields(event.sdk)),
      breadcrumbs: itemsOf(event.breadcrumbs).slice(-limits.breadcrumbs).map(toBreadcrumb),
      metadata: metadataOf(event, { componentStack, text, template, hasError: error !== undefined }),
    }),
  };
}

interface EventMessage {
  /** With its parameters filled in. Empty if the event has no message. */
  text: string;
  /** The text with placeholders for its parameters, or null if it has no parameters. */
  template: string | null;
}

/** Returns the message of the event itself. An exception has another one. */
function messageOf(event: EventFields): EventMessage {
  const sent = [event.logentry, event.message].map((value) => (isRecord(value) ? value : { message: value }));
  for (const { formatted, message, params } of sent as EventFields[]) {
    const template = eventText(message);
    const text = eventText(formatted) ?? filled(template, params);
    if (text?.trim()) return { text, template: template === undefined || template === text ? null : template };
  }
  return { text: '', template: null };
}

/** Fields of templates: `%s`, `%.2f` and `{}` in order, `%(name)s` and `{name}` by their names. */
const templateFields = /%(?:\((\w{1,64})\))?[-+#0]?\d{0,4}(?:\.\d{1,4})?[sdifruxXeEgGc]|\{(\w{0,64})\}/g;

/** Fills a template with its parameters. */
function filled(template: string | undefined, params: unknown): string | undefined {
  if (template === undefined || typeof params !== 'object' || params === null) return template;
  const list = Array.isArray(params) ? (params as unknown[]) : [];
  let index = 0;
  return template.replace(templateFields, (field, percent: string | undefined, brace: string | undefined) => {
    const name = percent || brace;
    return eventText(name === undefined ? list[index++] : eventFields(params)[name]) ?? field;
  });
}

/**
 * Returns the fingerprint of a log message with parameters: one line of code logs it, whatever the parameters are.
 * Returns null if the template says nothing, such as `%s`.
 */
function fingerprintOfTemplate(template: string | null): string[] | null {
  return template !== null && /\p{L}{3}/u.test(template.replace(templateFields, '')) ? [template] : null;
}

/** Returns whether an event is a message. Its exception, if any, has only the stack of the call that logged it. */
function isMessage(exceptions: EventExceptions['exceptions']): boolean {
  return exceptions.every(({ type, synthetic }) => synthetic === true && !type);
}

function visitorAgentOf(request: EventFields): string | undefined {
  const [, value] = pairsOf(request.headers).find(([name]) => name.toLowerCase() === 'user-agent') ?? [];
  return eventText(value);
}

/** Returns by how many milliseconds the clock of the SDK is slow, or 0 if the difference is small or unknown. */
function clockDriftMs({ sentAt, receivedAt }: EventOrigin): number {
  const drift = receivedAt - millisecondsOf(sentAt);
  return Math.abs(drift) > minClockDriftMs ? drift : 0;
}

function debugIdsOf(event: EventFields): Record<string, string> {
  const { images } = eventFields(event.debug_meta);
  return Object.fromEntries(
    itemsOf(images).flatMap(({ type, code_file, debug_id }): [string, string][] =>
      type === 'sourcemap' && typeof code_file === 'string' && typeof debug_id === 'string'
        ? [[code_file, debug_id]]
        : [],
    ),
  );
}

/** The IP address identifies no user: a server sends its own one, and a page may send `{{auto}}`. */
function userOf({ id, username, email, name }: EventFields): ErrorReport['user'] {
  const found = [id, username, email].map(eventText).find(Boolean);
  if (found === undefined) return null;
  return { id: found, name: eventText(name) ?? eventText(username) ?? null, email: eventText(email) ?? null };
}

function sdkOf({ name, version }: EventFields): ErrorReport['sdk'] {
  return typeof name === 'string' ? { name, version: eventText(version) ?? '' } : null;
}

const sharedLevels: readonly unknown[] = Level.options;

function levelOf(level: unknown, exceptions: EventExceptions['exceptions']): Level {
  if (sharedLevels.includes(level)) return level as Level;
  return level === 'log' || (level === undefined && exceptions.length === 0) ? 'info' : 'error';
}

/** Returns null for a fingerprint that changes nothing. */
function fingerprintOf(value: unknown): string[] | null {
  if (!Array.isArray(value)) return null;
  const texts = value.map((part) => eventText(part) ?? JSON.stringify(part)).map(withDefaultText);
  if (texts.every((text) => text === '{{ default }}')) return null;
  if (texts.length <= limits.fingerprintTexts) return texts;
  // A report may have at most `fingerprintTexts` texts. The rest become one.
  const rest = texts.splice(limits.fingerprintTexts - 1);
  return [...texts, hash('sha256', JSON.stringify(rest))];
}

function withDefaultText(text: string): string {
  return /^\{\{\s*default\s*\}\}$/.test(text) ? '{{ default }}' : text;
}

function tagsOf(value: unknown): Record<string, string> {
  return Object.fromEntries(
    pairsOf(value).flatMap(([name, tag]): [string, string][] => {
      const text = eventText(tag);
      return text === undefined ? [] : [[name, text]];
    }),
  );
}

function toBreadcrumb({ timestamp, type, category, message, level, data }: EventFields): object {
  return {
    timestamp: timeOf(timestamp),
    type: eventText(type),
    category: eventText(category),
    data: {
      ...(eventText(message) !== undefined && { message: valueWithoutSecrets(eventText(message)) }),
      ...(eventText(level) !== undefined && { level }),
      ...eventFields(valueWithoutSecrets(data)),
    },
  };
}

/** Returns the rest of an event, the most useful parts first: if it is too large, the last ones are dropped. */
function metadataOf(
  event: EventFields,
  { componentStack, text, template, hasError }: EventMessage & { componentStack: string | null; hasError: boolean },
): Record<string, unknown> {
  const contexts = eventFields(event.contexts);
  const parts: Record<string, unknown> = {
    componentStack: eventText(eventFields(contexts.react).componentStack) ?? componentStack,
    logged: hasError && text ? text : null,
    template,
    transaction: eventText(event.transaction),
    logger: eventText(event.logger),
    server_name: eventText(event.server_name),
    dist: eventText(event.dist),
    level: sharedLevels.includes(event.level) ? null : eventText(event.level),
    mechanism: eventFields(itemsOf(event.exception).at(-1)?.mechanism),
    contexts: valueWithoutSecrets(contexts),
    request: requestOf(eventFields(event.request)),
    user: valueWithoutSecrets(otherFields(event.user, ['id', 'username', 'email', 'name', 'ip_address'])),
    extra: valueWithoutSecrets(eventFields(event.extra)),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => !isEmpty(value)));
}

function requestOf(request: EventFields): EventFields {
  const { method, query_string, data, headers } = request;
  const query = typeof query_string === 'string' ? queryWithoutSecrets(query_string) : pairsOf(query_string);
  const parts: Record<string, unknown> = {
    method,
    query_string: typeof query === 'string' ? query : valueWithoutSecrets(Object.fromEntries(query)),
    data: readRequestData(data),
    headers: valueWithoutSecrets(
      Object.fromEntries(pairsOf(headers).filter(([name]) => !isCachedSecretName(name) && !isLeftOut(name))),
    ),
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => !isEmpty(value)));
}

/** Returns the body of a request without secrets. SDKs for Node.js send its text. */
function readRequestData(data: unknown): unknown {
  if (typeof data !== 'string') return valueWithoutSecrets(data);
  if (/^\s*[[{]/.test(data)) {
    try {
      const parsed = JSON.parse(data) as object;
      assertJsonComplexity(parsed, data);
      return JSON.stringify(valueWithoutSecrets(parsed));
    } catch {
      // SDKs cut long bodies, so what is left is no JSON: where a value ends is unknown.
      return namesSecret(data) ? removedText : data;
    }
  }
  return /^[\w.~+%[\]-]{1,200}=/.test(data) ? queryWithoutSecrets(data) : data;
}

/** Returns whether a text that is no JSON contains the name of a secret. */
function namesSecret(data: string): boolean {
  return Array.from(data.matchAll(/"([^"\\]{1,100})"\s*:/g)).some(([, name = '']) => isCachedSecretName(name));
}

/** Returns whether a header has the address of the visitor, or a value that another field of the report has. */
function isLeftOut(name: string): boolean {
  return /^(?:x-forwarded-for|x-real-ip|forwarded|cf-connecting-ip|true-client-ip|user-agent|sentry-trace|baggage)$/i.test(
    name,
  );
}

function otherFields(value: unknown, known: readonly string[]): EventFields {
  return Object.fromEntries(Object.entries(eventFields(value)).filter(([name]) => !known.includes(name)));
}

function isEmpty(value: unknown): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0;
  return value === undefined || value === null || value === '';
}
