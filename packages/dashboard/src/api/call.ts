// oxlint-disable unicorn/prefer-add-event-listener -- a request is used once, by nobody else, and this is shorter.
import type { FieldProblem, Problem } from '@service/protocol';

/** An answer that says no, in words for the reader; of status 0 if there was none. */
export class Refusal extends Error {
  declare readonly status: number;
  declare readonly code: Problem['code'] | undefined;
  declare readonly fields: FieldProblem[];

  constructor(status: number, { code, detail, errors }: Partial<Problem>) {
    super(detail ?? (status ? `The server answered ${status}.` : 'The server can’t be reached.'));
    this.status = status;
    this.code = code;
    this.fields = errors ?? [];
  }
}

let sessionExpired = (): void => {};

/** Sets what runs when the server rejects a request because the session has expired. */
export function onSessionExpired(listener: () => void): void {
  sessionExpired = listener;
}

/** Requests under way. An upload is no one's to wait for, and ends with the page. */
const reads = new Set<XMLHttpRequest>();
const writes = new Set<XMLHttpRequest>();
/** Resolves if a session that was to end has not: what is asked meanwhile waits for that. */
let stay: Promise<unknown> | undefined;

/**
 * Calls the API. The browser sends the session cookie along, which no script can read: not this one, and none that gets
 * in here. `progress` is told how much of the body has gone, from 0 to 1, which `fetch` tells nobody. Throws a
 * `Refusal`.
 */
export async function call<Answer>(
  method: string,
  path: string,
  body?: object,
  progress?: (share: number) => void,
): Promise<Answer> {
  if (stay) await stay;
  const request = new XMLHttpRequest();
  request.open(method, `/api/v1${path}`);
  request.responseType = 'json';
  const isForm = body instanceof FormData;
  if (body && !isForm) request.setRequestHeader('content-type', 'application/json');
  // One that never ends would leave a page that waits for it.
  if (method === 'DELETE') request.timeout = 9_000;
  const alike = method === 'GET' ? reads : writes;
  if (!progress) alike.add(request);
  request.onloadend = () => alike.delete(request);
  return new Promise((resolve, reject) => {
    request.onerror = request.ontimeout = () => reject(new Refusal(0, {}));
    if (progress) request.upload.onprogress = ({ loaded, total }) => progress(loaded / total);
    request.onload = () => {
      const { status, response } = request;
      // What answers well and is no JSON is not this server.
      if (status === 204 || (response && status < 300)) return resolve(response as Answer);
      const problem = (response ?? {}) as Partial<Problem>;
      if (/^(missing|invalid|expired)_token$/.test(problem.code ?? '') && !path.startsWith('/auth/')) sessionExpired();
      reject(new Refusal(status, problem));
    };
    request.send(isForm ? body : JSON.stringify(body));
  });
}

export const get = <Answer>(path: string): Promise<Answer> => call<Answer>('GET', path);

/**
 * The last call of a session, with no other beside it that the end of the session would refuse: what is being written is
 * awaited for some seconds, with what follows from it, what is being read is given up, and nothing more is asked unless
 * this one fails.
 */
export async function callLast(method: string, path: string): Promise<void> {
  let turns = 999;
  do await new Promise((resolve) => setTimeout(resolve));
  while (writes.size && --turns);
  for (const request of reads) request.abort();
  const last = call<void>(method, path);
  stay = new Promise((resolve) => last.catch(resolve));
  return last;
}

/** What is wrong with a field of a request. A detail that is a sentence needs no name of a field. */
export function explainField({ path, detail }: FieldProblem): string {
  return /^[A-Z]/.test(detail) ? detail : `${path}: ${detail}`;
}

/** What went wrong, in a sentence. Of several fields the first one. */
export function explain(error: unknown): string {
  if (error instanceof Refusal && error.fields[0]) return explainField(error.fields[0]);
  return error instanceof Error ? error.message : String(error);
}
