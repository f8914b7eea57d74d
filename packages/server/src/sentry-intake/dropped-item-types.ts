/** The types of envelope items that are counted and dropped. */
const droppedTypes: ReadonlySet<string> = new Set([
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

/** Endpoints of Sentry's protocol whose content is dropped, and the types under which it is counted. */
export const droppedByEndpoint = { minidump: 'minidump', security: 'raw_security', 'user-report': 'user_report' };

/** Returns the type under which a dropped item is counted. All unknown types are counted as `unknown`. */
export function droppedItemType(type: unknown): string {
  return typeof type === 'string' && droppedTypes.has(type) ? type : 'unknown';
}
