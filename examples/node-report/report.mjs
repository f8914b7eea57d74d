const { SERVICE_KEY: key, SERVICE_URL: endpoint = 'http://127.0.0.1:4400' } = process.env;

/**
 * Reports an error. Never rejects: an unreachable server must not cause another error.
 * @param {unknown} error
 * @param {Record<string, unknown>} [metadata]
 */
export async function report(error, metadata) {
  try {
    // String() throws for some values, for example an object without a prototype.
    const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
    const response = await fetch(`${endpoint}/api/v1/errors`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        project_api_key: key,
        // A request that is repeated with the same id is counted once.
        event_id: crypto.randomUUID(),
        type: name,
        message,
        stacktrace: stack,
        environment: 'example',
        release: '0.1.0',
        metadata,
      }),
      signal: AbortSignal.timeout(5_000),
    });
    if (!response.ok) console.error(`The error was not reported: ${response.status} ${await response.text()}`);
  } catch (problem) {
    console.error('The error was not reported:', problem);
  }
}
