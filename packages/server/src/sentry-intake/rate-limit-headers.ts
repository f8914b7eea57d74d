/** Seconds for which SDKs send no items that would be dropped. */
const droppedSeconds = 86_400;
/** The categories of these items, as SDKs call them. */
const droppedCategories =
  'session;transaction;span;profile;profile_chunk;replay;attachment;log_item;log_byte;trace_metric;monitor;feedback;metric_bucket';
/** The categories of events, which are stored. */
const errorCategories = 'error;default;security';

/** The value of `X-Sentry-Rate-Limits` that stops SDKs from sending items that would be dropped. */
export const notSupportedRateLimit = `${droppedSeconds}:${droppedCategories}:organization:not_supported`;

/** The longest time for which an SDK is stopped: it would obey any, and not notice a change of plan before that. */
const maxSilentSeconds = 300;

/** Returns the headers that stop an SDK from sending errors for a while, and items that would be dropped. */
export function rateLimitHeaders(retryAfterSeconds: number): Record<'retry-after' | 'x-sentry-rate-limits', string> {
  const seconds = Math.max(1, Math.min(retryAfterSeconds, maxSilentSeconds));
  return {
    'retry-after': String(seconds),
    'x-sentry-rate-limits': `${seconds}:${errorCategories}:organization:quota_exhausted, ${notSupportedRateLimit}`,
  };
}
