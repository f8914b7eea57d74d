import { guard, type Client } from './client.ts';
import { byteLength, normalize } from './normalize.ts';
import type { Breadcrumb } from './report.ts';

/** A breadcrumb in the buffer. `timestamp` is in milliseconds since 1970: a Date takes twice as long to create. */
export type BufferedBreadcrumb = Omit<Breadcrumb, 'timestamp'> & { timestamp: number };

/** A breadcrumb of the page. Missing fields are filled in. */
export interface BreadcrumbInput {
  type?: string | undefined;
  category?: string | undefined;
  /** Becomes `data.message`. */
  message?: string | undefined;
  data?: object | undefined;
}

const maxBytes = 4_000;
const maxTotalBytes = 30_000;

/** Adds a breadcrumb to the buffer. `data` is copied only when an error is sent, so nothing else may change it. */
export function recordBreadcrumb(client: Client, type: string, category: string, data: Record<string, unknown>): void {
  const breadcrumb = applyBeforeBreadcrumb(client, { timestamp: Date.now(), type, category, data });
  if (!breadcrumb) return;
  client.breadcrumbs.push(breadcrumb);
  if (!(client.breadcrumbs.length <= maxBreadcrumbs(client))) client.breadcrumbs.shift();
}

/** Adds a breadcrumb of the page. Its data is copied. */
export function addBreadcrumbTo(client: Client | undefined, input: BreadcrumbInput): void {
  if (!client) return;
  guard(client, () => {
    const { type = 'custom', category = type, message, data } = input;
    const copied = normalize({ message, ...Object(data) }, maxBytes / 4);
    recordBreadcrumb(client, String(type), String(category), Object(copied));
  });
}

/**
 * Remembers the breadcrumbs of this moment, newest last, with those of requests in flight. Returns a function that
 * formats them for a report: copied, scrubbed and within 30 kB, from which the oldest are dropped.
 */
export function snapshotBreadcrumbs(client: Client): () => Breadcrumb[] | undefined {
  const inFlight = [...client.requestsInFlight].flatMap(
    (breadcrumb) => applyBeforeBreadcrumb(client, breadcrumb) ?? [],
  );
  const all = [...client.breadcrumbs, ...inFlight];
  const newest = all.slice(Math.max(0, all.length - maxBreadcrumbs(client)));
  return () => {
    let bytesLeft = maxTotalBytes;
    const formatted: Breadcrumb[] = [];
    for (const breadcrumb of newest.reverse()) {
      const data: Record<string, unknown> = Object(normalize(breadcrumb.data, maxBytes));
      const entry = { ...breadcrumb, timestamp: new Date(breadcrumb.timestamp).toISOString(), data };
      bytesLeft -= byteLength(JSON.stringify(entry));
      if (bytesLeft < 0) break;
      formatted.unshift(entry);
    }
    return formatted.length > 0 ? formatted : undefined;
  };
}

function maxBreadcrumbs({ settings }: Client): number {
  return settings.maxBreadcrumbs ?? 64;
}

/** Passes a breadcrumb to the page. Returns null if the page drops it; what the page throws drops it, too. */
function applyBeforeBreadcrumb(client: Client, breadcrumb: BufferedBreadcrumb): BufferedBreadcrumb | null {
  const { beforeBreadcrumb } = client.settings;
  if (!beforeBreadcrumb) return breadcrumb;
  const timestamp = new Date(breadcrumb.timestamp).toISOString();
  const changed = guard(client, () => beforeBreadcrumb({ ...breadcrumb, timestamp }));
  return changed ? { ...changed, timestamp: breadcrumb.timestamp } : null;
}
