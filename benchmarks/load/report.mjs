const userAgent =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36';

/**
 * Returns the incident as our SDK posts it, about 2.7 KB of JSON.
 *
 * @param {import('./incident.mjs').Incident} incident
 * @param {string} apiKey
 */
export function report(incident, apiKey) {
  const { event_id, at, type, message, frames, url, user, environment, release, order, steps } = incident;
  const calls = frames.map((frame) => `    at ${frame.function} (${frame.file}:${frame.line}:${frame.column})`);
  return JSON.stringify({
    project_api_key: apiKey,
    event_id,
    timestamp: at,
    type,
    message,
    stacktrace: [`${type}: ${message}`, ...calls].join('\n'),
    environment,
    release,
    url,
    user_agent: userAgent,
    user: { id: user },
    sdk: { name: '@service/browser', version: '0.1.0' },
    level: 'error',
    metadata: { order, viewport: { width: 1920, height: 1080 }, language: 'en-GB', online: true },
    breadcrumbs: steps.map((step) => ({ timestamp: at, type: step.category, level: 'info', ...step, data: {} })),
  });
}
