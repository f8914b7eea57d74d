import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { H3Event } from 'h3';

const smallestBytes = 1024;

/** Packs an answer of more than 1 KiB for those who ask for it. For JSON and text; streams stay as they are. */
export async function compress(event: H3Event, next: () => unknown): Promise<unknown> {
  const answer = await next();
  if (!isPackable(answer) || !acceptsGzip(event)) return answer;
  const text = typeof answer === 'string' ? answer : JSON.stringify(answer);
  if (Buffer.byteLength(text) <= smallestBytes) return answer;
  const { headers } = event.res;
  headers.append('vary', 'Accept-Encoding');
  headers.set('content-encoding', 'gzip');
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return promisify(gzip)(text);
}

function isPackable(answer: unknown): answer is string | object {
  if (typeof answer === 'string') return true;
  if (typeof answer !== 'object' || answer === null) return false;
  const prototype: unknown = Object.getPrototypeOf(answer);
  return Array.isArray(answer) || prototype === Object.prototype || prototype === null;
}

function acceptsGzip(event: H3Event): boolean {
  return /(?:^|,)\s*(?:gzip|\*)\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    event.req.headers.get('accept-encoding') ?? '',
  );
}
