/** Items of envelopes that are counted and dropped, by what they are called in counts. */
const droppedKinds: ReadonlySet<string> = new Set([
  'attachment',
  'check_in',
  'client_report',
  'feedback',
  'form_data',
  'log',
  'metric_buckets',
  'otel_log',
  'profile',
  'profile_chunk',
  'raw_security',
  'replay_event',
  'replay_recording',
  'replay_video',
  'session',
  'sessions',
  'span',
  'statsd',
  'trace_metric',
  'transaction',
  'user_report',
]);

/** Endpoints for what no SDK of a page sends in an envelope, and the kinds under which it is counted. */
export const droppedByEndpoint = { minidump: 'minidump', security: 'raw_security', 'user-report': 'user_report' };

/** Returns the name under which a dropped item is counted. All unknown types share one. */
export function kindOfItem(type: unknown): string {
  return typeof type === 'string' && droppedKinds.has(type) ? type : 'unknown';
}

/** Seconds for which SDKs send no items that would be dropped. */
const droppedSeconds = 86_400;
/** The categories of these items, as SDKs call them. */
const droppedCategories =
  'session;transaction;span;profile;profile_chunk;replay;attachment;log_item;log_byte;trace_metric;monitor;feedback;metric_bucket';
/** The categories of what is stored. */
const errorCategories = 'error;default;security';

/** Tells SDKs not to send what would be dropped: the value of `X-Sentry-Rate-Limits`. */
export const unsupportedItems = `${droppedSeconds}:${droppedCategories}:organization:not_supported`;

/** The longest time for which an SDK may be silent: it obeys any, and would not notice a change of plan. */
const maxSilentSeconds = 300;

/** Returns the headers that stop an SDK from sending errors, and nothing else. */
export function quotaHeaders(retryAfterSeconds: number): Record<'retry-after' | 'x-sentry-rate-limits', string> {
  const seconds = Math.max(1, Math.min(retryAfterSeconds, maxSilentSeconds));
  return {
    'retry-after': String(seconds),
    'x-sentry-rate-limits': `${seconds}:${errorCategories}:organization:quota_exhausted, ${unsupportedItems}`,
  };
}
