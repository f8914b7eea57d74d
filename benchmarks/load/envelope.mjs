const sdk = { name: 'sentry.javascript.vue', version: '10.31.0' };

/**
 * Returns the incident as an envelope like that of Sentry's SDK: one event, about as long as our report.
 *
 * @param {import('./incident.mjs').Incident} incident
 */
export function envelope(incident) {
  const event_id = incident.event_id.replaceAll('-', '');
  const { at, type, message, frames, url, user, environment, release, order, steps } = incident;
  const event = {
    event_id,
    timestamp: Date.parse(at) / 1000,
    platform: 'javascript',
    level: 'error',
    environment,
    release,
    sdk,
    user: { id: user },
    request: { url, headers: { 'User-Agent': 'Mozilla/5.0 (Windows NT 10.0) Chrome/141.0.0.0' } },
    exception: {
      values: [
        {
          type,
          value: message,
          mechanism: { type: 'onerror', handled: false },
          // Sentry lists the innermost frame last.
          stacktrace: {
            frames: frames.toReversed().map((frame) => ({
              filename: frame.file,
              function: frame.function,
              in_app: true,
              lineno: frame.line,
              colno: frame.column,
            })),
          },
        },
      ],
    },
    contexts: { order },
    breadcrumbs: steps.map((step) => ({ timestamp: Date.parse(at) / 1000, ...step })),
  };
  const lines = [{ event_id, sent_at: at, sdk }, { type: 'event' }, event];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}
