import { randomUUID } from 'node:crypto';
import { limits, type ErrorReport } from '@service/protocol';
import { assertJsonComplexity, isTooComplex } from '../validation/assert-json-complexity.ts';
import { ingest } from '../ingest/ingest.ts';
import { isQuotaUsed } from '../plans/quota.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { jsonText, parseJson, type SentJson } from '../validation/json.ts';
import { isRecord } from '../validation/validation.ts';
import type { EnvelopeItems } from './envelope-items.ts';
import { eventToReport, type EventReport } from './event-to-report.ts';

/** Facts about the request that apply to all its items. */
export interface ItemsOrigin {
  project: ProjectRecord;
  /** The user agent of the browser, or null for a program. */
  userAgent: string | null;
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** Counts one more report of the client. Throws `overloaded` if it has sent too many. */
  countReport(): void;
}

/**
 * Ingests the events of an envelope and counts its other items. Resolves with the id of the envelope, else of its first
 * event, or null if it has none. Rejects with `malformed_json`, `bad_request` or `validation_failed` if an event can't
 * be read, with `overloaded` if too many reports wait or the client has sent too many, and as `ingest` does.
 */
export async function receiveItems(
  services: Services,
  items: EnvelopeItems,
  origin: ItemsOrigin,
): Promise<string | null> {
  const { project } = origin;
  const envelopeId = readEventId(items.header.event_id);
  let eventId = envelopeId;
  try {
    for (const [index, bytes] of items.events.entries()) {
      // SDKs send one event at a time. The id of the envelope is that of the first.
      const sentId = index === 0 ? envelopeId : null;
      if (index > 0) origin.countReport();
      const ingested = await services.reportQueue.run(
        () => ({ teamId: project.team_id, projectId: project.id }),
        bytes.length,
        () => receiveEvent(services, bytes, { ...origin, sentId, sentAt: items.header.sent_at }),
      );
      if (ingested === null) items.drop('transaction');
      else eventId ??= ingested;
    }
  } finally {
    // Dropped items are counted even if an event is rejected.
    for (const [type, count] of items.dropped)
      for (let each = 0; each < count; each++) services.droppedItems.countSent(project.id, type);
  }
  for (const bytes of items.clientReports) await countClientReport(services, project, bytes);
  return eventId?.replaceAll('-', '') ?? null;
}

/** Event types that are no errors. Some SDKs send them in items of the type `event`. */
const otherEvents: ReadonlySet<unknown> = new Set(['transaction', 'feedback', 'profile', 'replay_event', 'span']);

type EventOfItems = ItemsOrigin & { sentId: string | null; sentAt: unknown };

/** Ingests an event. Resolves with its id, or with null if it is no error. */
async function receiveEvent(services: Services, bytes: Buffer, origin: EventOfItems): Promise<string | null> {
  // A separate function, so that the event can be freed while its report waits for the disk.
  const read = reportOfEvent(bytes, origin);
  if (read === null) return null;
  const { eventId, json } = read;
  const { userAgent, receivedAt } = origin;
  await ingest(services, { json, userAgent, receivedAt, details: () => json.whole() });
  services.requestCounters.reportsAccepted++;
  return eventId;
}

/** Returns the report of an event, or null if the event is no error. */
function reportOfEvent(
  bytes: Buffer,
  { project, receivedAt, sentId, sentAt }: EventOfItems,
): { eventId: string; json: ReportJson } | null {
  const event = parseEvent(bytes);
  if (otherEvents.has(event.type)) return null;
  const eventId = sentId ?? readEventId(event.event_id) ?? randomUUID();
  const report = eventToReport(event, { apiKey: project.api_key, eventId, sentAt, receivedAt });
  return { eventId, json: new ReportJson(report) };
}

/** An event has local variables and other values that are not stored, so it may have more of them than a report. */
const maxEventValues = 4 * limits.jsonNodes;

/** Replacements of fields, applied in this order until the report is simple enough. */
const excessReductions: readonly Partial<ErrorReport>[] = [
  { metadata: { omitted: 'The event has too many values, or they are nested too deep.' } },
  { breadcrumbs: [] },
];

/**
 * The JSON of a report, serialized only if it is stored or may have too many values: in an incident, most are only
 * counted.
 */
class ReportJson implements SentJson {
  readonly value: ErrorReport;
  readonly isSimple: boolean;
  readonly #report: EventReport;
  #whole: ErrorReport | null = null;

  constructor(report: EventReport) {
    this.#report = report;
    this.value = report.facts;
    this.isSimple = !isTooComplex(this.value);
  }

  get text(): string {
    return JSON.stringify(this.whole());
  }

  get bytes(): string {
    return this.text;
  }

  /** Cached, because a report whose text is too long to be stored unchanged needs the fields again. */
  whole(): ErrorReport {
    return (this.#whole ??= withoutExcess(this.#report.whole()));
  }
}

function withoutExcess(report: ErrorReport): ErrorReport {
  let fitted = report;
  for (const reduction of excessReductions) {
    if (!isTooComplex(fitted)) break;
    fitted = { ...fitted, ...reduction };
  }
  return fitted;
}

function parseEvent(bytes: Buffer): Record<string, unknown> {
  const text = jsonText(bytes);
  const event = parseJson(text);
  if (!isRecord(event)) throw new ProblemError('bad_request', 'The event is not a JSON object.');
  assertJsonComplexity(event, text, maxEventValues);
  return event;
}

/** Returns an event id as a UUID, or null if it is none. SDKs send it without dashes. */
function readEventId(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const [, a, b, c, d, e] =
    /^([\da-f]{8})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{4})-?([\da-f]{12})$/i.exec(value) ?? [];
  return a === undefined ? null : `${a}-${b}-${c}-${d}-${e}`.toLowerCase();
}

/** The reasons for which SDKs drop errors. Any other reason is counted as `other`. */
const knownReasons: ReadonlySet<unknown> = new Set([
  'before_send',
  'buffer_overflow',
  'cache_overflow',
  'event_processor',
  'ignored',
  'insufficient_data',
  'internal_sdk_error',
  'network_error',
  'queue_overflow',
  'ratelimit_backoff',
  'sample_rate',
  'send_error',
]);
/** The SDK dropped the error because this server had rejected an earlier one. */
const rejectedReason = 'ratelimit_backoff';
/** A larger number of dropped errors in one item is counted as this one. */
const maxDiscarded = 10_000;

/** Counts errors that an SDK dropped. While the quota is used up, those of `rejectedReason` are quota drops, too. */
async function countClientReport(services: Services, project: ProjectRecord, bytes: Buffer): Promise<void> {
  let rejected = 0;
  for (const { reason, quantity } of readDiscarded(bytes)) {
    services.droppedItems.countUnsent(project.id, reason, quantity);
    if (reason === rejectedReason) rejected += quantity;
  }
  if (rejected === 0) return;
  await services.store.commit((transaction) => {
    const { error_quota } = services.plans.of(transaction.get('teams', project.team_id));
    if (isQuotaUsed(transaction, project.team_id, error_quota)) transaction.countQuotaDrop(project.team_id, rejected);
  });
}

/** Returns the dropped errors that a client report lists; none if it can't be read: it must not fail the request. */
function readDiscarded(bytes: Buffer): { reason: string; quantity: number }[] {
  let report: unknown;
  try {
    report = JSON.parse(bytes.toString());
  } catch {
    return [];
  }
  const discarded = isRecord(report) && Array.isArray(report.discarded_events) ? report.discarded_events : [];
  return (discarded.slice(0, 50) as unknown[]).flatMap((item) => {
    if (!isRecord(item) || (item.category !== 'error' && item.category !== 'default')) return [];
    const { reason, quantity } = item;
    if (!Number.isSafeInteger(quantity) || (quantity as number) < 1) return [];
    return [
      {
        reason: knownReasons.has(reason) ? (reason as string) : 'other',
        quantity: Math.min(quantity as number, maxDiscarded),
      },
    ];
  });
}
