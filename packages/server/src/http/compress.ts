import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { H3Event } from 'h3';

const minBytes = 1024;

/** Compresses JSON and text responses of more than 1 KiB for clients that accept gzip. Streams are not compressed. */
export async function compress(event: H3Event, next: () => unknown): Promise<unknown> {
  const body = await next();
  if (!isCompressible(body) || !acceptsGzip(event)) return body;
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  if (Buffer.byteLength(text) <= minBytes) return body;
  const { headers } = event.res;
  headers.append('vary', 'Accept-Encoding');
  headers.set('content-encoding', 'gzip');
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  return promisify(gzip)(text);
}

function isCompressible(body: unknown): body is string | object {
  if (typeof body === 'string') return true;
  if (typeof body !== 'object' || body === null) return false;
  const prototype: unknown = Object.getPrototypeOf(body);
  return Array.isArray(body) || prototype === Object.prototype || prototype === null;
}

function acceptsGzip(event: H3Event): boolean {
  return /(?:^|,)\s*(?:gzip|\*)\s*(?:;(?!\s*q=0(?:\.0*)?\s*(?:,|$))|,|$)/i.test(
    event.req.headers.get('accept-encoding') ?? '',
  );
}
