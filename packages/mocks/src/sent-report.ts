import type { SentRequest } from './server/messages.ts';

/** The fields of a report as the app has sent them. */
export interface SentReport {
  message: string;
  [field: string]: unknown;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Resolves with the fields of a report. A blank message is replaced by the first line of the stack, as on the server,
 * but not by the last line of a Python trace. A body that the server cannot read has an empty message and no other
 * fields.
 */
export async function readReport(request: SentRequest): Promise<SentReport> {
  const fields = await readFields(request);
  return { ...fields, message: messageOf(fields) };
}

/** Returns the id by which the server recognizes a repeated report, or null. It ignores an id that is no UUID. */
export function repeatIdOf({ event_id }: Record<string, unknown>): string | null {
  return typeof event_id === 'string' && uuid.test(event_id) ? event_id.toLowerCase() : null;
}

async function readFields({ body, headers }: SentRequest): Promise<Record<string, unknown>> {
  try {
    // happy-dom does not convert the names of headers to lower case.
    const isGzip = headers.some(([name, value]) => /^content-encoding$/i.test(name) && /^gzip$/i.test(value));
    const report: unknown = JSON.parse(isGzip ? await gunzip(body) : new TextDecoder().decode(body ?? undefined));
    return typeof report === 'object' && report !== null ? { ...report } : {};
  } catch {
    // The server has rejected it, for the same reason.
    return {};
  }
}

function gunzip(body: Uint8Array | null): Promise<string> {
  const stream = new Response(body as Uint8Array<ArrayBuffer> | null).body;
  return new Response(stream?.pipeThrough(new DecompressionStream('gzip'))).text();
}

function messageOf({ message, stacktrace }: Record<string, unknown>): string {
  if (typeof message === 'string' && message.trim() !== '') return message;
  return typeof stacktrace === 'string' ? (stacktrace.trim().split('\n', 1)[0] ?? '').trimEnd() : '';
}
