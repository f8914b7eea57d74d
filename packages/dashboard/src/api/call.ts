import type { FieldProblem, Problem } from '@service/protocol';

/** An answer that says no, in words for the reader. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;
  readonly fields: FieldProblem[];

  constructor(status: number, { detail, code, errors }: Partial<Problem>) {
    super(detail ?? `The server answered ${status}.`);
    this.status = status;
    this.code = code ?? '';
    this.fields = errors ?? [];
  }
}

/** There was no answer. */
export class Unreachable extends Error {
  constructor() {
    super('The server can’t be reached.');
  }
}

const signedOut: (() => void)[] = [];

/** Tells of the first answer that says that nobody is signed in any more. */
export function whenSignedOut(listener: () => void): void {
  signedOut.push(listener);
}

/**
 * Calls the API. The browser sends the session cookie along, which no script can read: not this one, and none that gets
 * in here. Throws a `Refusal` or `Unreachable`.
 */
export async function call<Answer>(method: string, path: string, body?: object): Promise<Answer> {
  const answer = await send(method, path, body);
  const content = answer.status === 204 ? null : await answer.json().catch(() => ({}));
  if (answer.ok) return content as Answer;
  const refusal = new Refusal(answer.status, content as Partial<Problem>);
  if (/^(missing|invalid|expired)_token$/.test(refusal.code) && !path.startsWith('/auth/'))
    for (const tell of signedOut) tell();
  throw refusal;
}

async function send(method: string, path: string, body?: object): Promise<Response> {
  const isForm = body instanceof FormData;
  try {
    return await fetch(`/api/v1${path}`, {
      method,
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
      ...(body && !isForm && { headers: { 'content-type': 'application/json' } }),
    });
  } catch {
    throw new Unreachable();
  }
}

export const get = <Answer>(path: string): Promise<Answer> => call<Answer>('GET', path);

/** What went wrong, in a sentence. Of several fields the first one. */
export function explain(error: unknown): string {
  if (error instanceof Refusal && error.fields[0]) return `${error.fields[0].path}: ${error.fields[0].detail}`;
  return error instanceof Error ? error.message : String(error);
}
