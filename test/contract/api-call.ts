import { gunzipSync } from 'node:zlib';

// oxlint-disable-next-line typescript/no-explicit-any -- response bodies of every operation; the tests check their shape
export type Json = any;

export interface RequestOptions {
  /** Sent as JSON; strings, bytes and forms are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
  /** The Bearer token; null: no token. */
  token?: string | null;
}

export interface ApiResponse {
  status: number;
  headers: Headers;
  text: string;
  body: Json;
}

/** Builds a request. A path without a leading slash is relative to `/api/v1/`. */
export function buildRequest(
  url: string,
  method: string,
  path: string,
  { body, headers = {}, token }: RequestOptions,
): Request {
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

/** Reads a response to its end; of an event stream, which has no end, only the first chunk. */
export async function readResponse(response: Response): Promise<ApiResponse> {
  if (response.headers.get('content-type') === 'text/event-stream') return readFirstChunk(response);
  const bytes = Buffer.from(await response.arrayBuffer());
  // fetch() over a socket has decompressed the body already but leaves the header in place.
  const isGzipped = response.headers.get('content-encoding') === 'gzip' && bytes[0] === 0x1f && bytes[1] === 0x8b;
  const text = (isGzipped ? gunzipSync(bytes) : bytes).toString();
  return { status: response.status, headers: response.headers, text, body: parseJson(text) };
}

async function readFirstChunk({ status, headers, body }: Response): Promise<ApiResponse> {
  const reader = body?.getReader();
  const { value } = (await reader?.read()) ?? {};
  await reader?.cancel();
  return { status, headers, text: Buffer.from(value ?? []).toString(), body: undefined };
}

function parseJson(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    // HTML pages and empty bodies: tests look at `text`.
    return undefined;
  }
}
