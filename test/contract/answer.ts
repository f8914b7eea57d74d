import { gunzipSync } from 'node:zlib';

// oxlint-disable-next-line typescript/no-explicit-any -- bodies of every operation; what they hold is what is tested
export type Json = any;

export interface Ask {
  /** Sent as JSON; a string, bytes or a form are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The Bearer; null: none. */
  token?: string | null;
}

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

export function toRequest(url: string, method: string, path: string, { body, headers = {}, token }: Ask): Request {
  const isRaw = typeof body === 'string' || body instanceof Uint8Array || body instanceof FormData;
  return new Request(`${url}${path.startsWith('/') ? '' : '/api/v1/'}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(typeof token === 'string' ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined || body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as NonNullable<RequestInit['body']> }),
  });
}

export async function readAnswer(response: Response): Promise<Answer> {
  if (response.headers.get('content-type') === 'text/event-stream') return beginningOf(response);
  const bytes = Buffer.from(await response.arrayBuffer());
  // Over a socket the client has unpacked it already.
  const isPacked = response.headers.get('content-encoding') === 'gzip' && bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isPacked ? gunzipSync(bytes) : bytes).toString();
  return { status: response.status, headers: response.headers, text, body: parse(text) };
}

/** A stream has no end: of it as much as comes at once. */
async function beginningOf({ status, headers, body }: Response): Promise<Answer> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return { status, headers, text: Buffer.from(value ?? []).toString(), body: undefined };
}

function parse(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    // Pages and empty answers are looked at as text.
    return undefined;
  }
}
