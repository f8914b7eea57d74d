import type { Usage } from '@service/protocol';
import type { ApiClient } from '@service/api-client';
import { ok, problem, unknown, withoutPage, type Check, type CheckResult } from './check.ts';

const maxSkewMs = 5 * 60_000;
const serverTimeoutMs = 20_000;

/** Checks that the server can be reached, and how far its clock is from that of this machine. */
export async function checkServer(
  { endpoint }: Pick<ApiClient, 'endpoint'>,
  now: () => number,
): Promise<CheckResult[]> {
  const startedAt = now();
  const response = await fetch(`${endpoint}/healthz`, { signal: AbortSignal.timeout(serverTimeoutMs) }).catch(
    (error: Error & { cause?: { code?: string } }) => error.cause?.code ?? error.message,
  );
  if (typeof response === 'string')
    return [
      problem('server', `${endpoint} cannot be reached (${response}).`, 'Start the server, or correct --endpoint.'),
    ];
  const isServer = response.ok && (await response.text()).includes('"ok"');
  if (!isServer)
    return [
      problem(
        'server',
        `${endpoint} responds with ${response.status}, not as an error-tracking server.`,
        'Correct --endpoint: it is the URL of the dashboard.',
      ),
    ];
  return [ok('server', `${endpoint} responds.`), checkClock(response.headers.get('Date'), (startedAt + now()) / 2)];
}

function checkClock(date: string | null, localMs: number): CheckResult {
  const serverMs = date === null ? Number.NaN : Date.parse(date);
  if (Number.isNaN(serverMs)) return unknown('clock', 'The server sends no time.');
  const skewMs = serverMs - localMs;
  const minutes = Math.round(Math.abs(skewMs) / 60_000);
  if (Math.abs(skewMs) <= maxSkewMs) return ok('clock', 'This machine and the server have the same time.');
  return problem(
    'clock',
    `The clock of the server is ${minutes} minutes ${skewMs < 0 ? 'behind' : 'ahead of'} the clock of this machine.`,
    'Synchronize the clock that is wrong: sudo timedatectl set-ntp true',
  );
}

/** Checks that the server accepts the API key. The report has no message, so it is never stored. */
export const checkKey: Check = async ({ api, project, apiKey }) => {
  const { status, code } = await sendNothing(api.endpoint, apiKey, null);
  const link = `${api.endpoint}/projects/${project.id}/settings`;
  if (code === 'validation_failed') {
    if (apiKey === project.api_key) return ok('key', `The key of project ${project.name} is valid.`);
    return problem(
      'key',
      `The key is valid, but not that of project ${project.name}.`,
      `Use apiKey: '${project.api_key}' in init(), or choose the project with --project`,
      link,
    );
  }
  if (code === 'invalid_api_key' || status === 401 || status === 422)
    return problem(
      'key',
      'The server does not know the API key: reports get 401.',
      `Use apiKey: '${project.api_key}' in init()`,
      link,
    );
  if (code !== null) return unknown('key', `The server responds with ${code}.`);
  return unknown(
    'key',
    `The response to a report has the status ${status}, and is not one of the server.`,
    'Let the proxy pass POST requests to /api/v1/errors.',
  );
};

/** Checks that a browser lets pages of the origin send reports: the preflight, and the response to the report. */
export const checkOrigin: Check = async ({ api, project, apiKey, pageOrigin, unreadPage }) => {
  if (pageOrigin === null) return withoutPage('origin', { unreadPage });
  const preflight = await fetch(api.url('/errors'), {
    method: 'OPTIONS',
    headers: {
      Origin: pageOrigin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'content-type',
    },
    signal: AbortSignal.timeout(serverTimeoutMs),
  });
  await preflight.body?.cancel();
  const { code, allowedOrigin } = await sendNothing(api.endpoint, apiKey, pageOrigin);
  const allows = (allowed: string | null): boolean => allowed === '*' || allowed === pageOrigin;
  if (preflight.ok && allows(preflight.headers.get('Access-Control-Allow-Origin')) && allows(allowedOrigin))
    return ok('origin', `Pages of ${pageOrigin} may send reports.`);
  if (code === 'origin_not_allowed')
    return problem(
      'origin',
      `Pages of ${pageOrigin} may not send reports: the origin is not listed.`,
      `Add ${pageOrigin} to the origins, or start the server with --cors-origin ${pageOrigin}`,
      `${api.endpoint}/projects/${project.id}/origins`,
    );
  return problem(
    'origin',
    'A proxy removes the CORS headers of the server.',
    'Let the proxy pass OPTIONS requests and Access-Control-* headers.',
  );
};

/** Sends a report without a message. The server checks origin and key, and then rejects it. */
async function sendNothing(
  endpoint: string,
  apiKey: string,
  pageOrigin: string | null,
): Promise<{ status: number; code: string | null; allowedOrigin: string | null }> {
  const response = await fetch(`${endpoint}/api/v1/errors`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(pageOrigin !== null && { Origin: pageOrigin }) },
    body: JSON.stringify({ project_api_key: apiKey }),
    signal: AbortSignal.timeout(serverTimeoutMs),
  });
  const body = (await response.json().catch(() => null)) as { code?: string } | null;
  return {
    status: response.status,
    code: body?.code ?? null,
    allowedOrigin: response.headers.get('Access-Control-Allow-Origin'),
  };
}

const almostUsed = 0.9;

/** Checks the error quota of the month. */
export const checkQuota: Check = async ({ api }) => {
  const { errors, period_end } = await api.call<Usage>('GET', '/billing/usage');
  const { used, quota, refused, refused_since } = errors;
  if (quota === null) return ok('quota', `${used} ${used === 1 ? 'error' : 'errors'} this month, without a limit.`);
  const link = `${api.endpoint}/usage`;
  const until = period_end.slice(0, 10);
  if (used >= quota)
    return problem(
      'quota',
      `The error quota is used up (${used} of ${quota}): reports get 429 until ${until}.${refused > 0 ? ` ${refused} were rejected since ${refused_since}.` : ''}`,
      'Choose a larger plan, or lower sampleRate in init()',
      link,
    );
  if (used >= quota * almostUsed)
    return {
      ...unknown(
        'quota',
        `${used} of ${quota} errors are used, until ${until}.`,
        'Choose a larger plan before reports get 429',
      ),
      link,
    };
  return ok('quota', `${used} of ${quota} errors are used this month.`);
};

/** How long the first bytes of a stream may take. The server sends them at once. */
const firstBytesMs = 10_000;

/** Checks that the live stream arrives in pieces. A proxy that buffers it delivers nothing. */
export const checkStream: Check = async ({ api, project }) => {
  const ended = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<'silent'>((resolve) => {
    timer = setTimeout(() => resolve('silent'), firstBytesMs);
  });
  const first = api
    .open('/stream', { query: { project_id: project.id }, signal: ended.signal })
    .then(async (response) => (await response.body?.getReader().read())?.value?.length ?? 0);
  try {
    const received = await Promise.race([first, silence]);
    if (received === 'silent')
      return problem(
        'stream',
        `The live stream was silent for ${firstBytesMs / 1_000} seconds: a proxy buffers it.`,
        'Switch buffering off in the proxy. nginx: proxy_buffering off; proxy_http_version 1.1;',
        'docs/live-stream.md',
      );
    return received > 0
      ? ok('stream', 'The live stream arrives.')
      : problem(
          'stream',
          'The live stream ends at once.',
          'Let the proxy keep responses of text/event-stream open.',
          'docs/live-stream.md',
        );
  } catch (error) {
    return problem(
      'stream',
      `The live stream fails: ${(error as Error).message}`,
      'The proxy must speak HTTP/1.1 to the server. nginx: proxy_http_version 1.1;',
      'docs/live-stream.md',
    );
  } finally {
    clearTimeout(timer);
    first.catch(() => undefined);
    ended.abort();
  }
};
