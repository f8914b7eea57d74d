// oxlint-disable unicorn/prefer-add-event-listener -- each request has one listener per event, and this is shorter.
import type { Problem } from '@service/protocol';
import { ApiError } from './api-error.ts';

let sessionExpiredListener = (): void => {};

/** Sets the listener for the end of the session, which the server reports by rejecting a request. */
export function onSessionExpired(listener: () => void): void {
  sessionExpiredListener = listener;
}

/** Requests in flight. Uploads are not included: nothing waits for them, and they end with the page. */
const reads = new Set<XMLHttpRequest>();
const writes = new Set<XMLHttpRequest>();
/** Resolves if the session was not ended after all. Requests made in the meantime wait for it. */
let sessionEndFailed: Promise<unknown> | undefined;

/**
 * Calls the API. The browser adds the session cookie, which no script can read, not even an injected one. `onProgress`
 * gets the share of the body that was sent, from 0 to 1, which `fetch` does not report. Rejects with an `ApiError`.
 */
export async function call<Result>(
  method: string,
  path: string,
  body?: object,
  onProgress?: (share: number) => void,
): Promise<Result> {
  if (sessionEndFailed) await sessionEndFailed;
  const request = new XMLHttpRequest();
  request.open(method, `/api/v1${path}`);
  request.responseType = 'json';
  const isForm = body instanceof FormData;
  if (body && !isForm) request.setRequestHeader('content-type', 'application/json');
  // Without a limit, signing out could wait forever.
  if (method === 'DELETE') request.timeout = 9_000;
  const inFlight = method === 'GET' ? reads : writes;
  if (!onProgress) inFlight.add(request);
  request.onloadend = () => inFlight.delete(request);
  return new Promise((resolve, reject) => {
    request.onerror = request.ontimeout = () => reject(new ApiError(0, {}));
    if (onProgress) request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total);
    request.onload = () => {
      const { status, response } = request;
      // A successful response without JSON comes from a proxy and not from this server.
      if (status === 204 || (response && status < 300)) return resolve(response as Result);
      const problem = (response ?? {}) as Partial<Problem>;
      if (/^(missing|invalid|expired)_token$/.test(problem.code ?? '') && !path.startsWith('/auth/'))
        sessionExpiredListener();
      reject(new ApiError(status, problem));
    };
    request.send(isForm ? body : JSON.stringify(body));
  });
}

export const get = <Result>(path: string): Promise<Result> => call<Result>('GET', path);

/**
 * Makes the call that ends the session. The server would then reject every other request in flight, which browsers log.
 * So this awaits writes, and the requests that follow them, for some seconds. It aborts reads. New requests wait, and
 * are sent only if this call fails.
 */
export async function callLast(method: string, path: string): Promise<void> {
  let turnsLeft = 999;
  do await new Promise((resolve) => setTimeout(resolve));
  while (writes.size && --turnsLeft);
  for (const request of reads) request.abort();
  const last = call<void>(method, path);
  sessionEndFailed = new Promise((resolve) => last.catch(resolve));
  return last;
}
