import type { Client } from './client.ts';
import { callPage, guard } from './guard.ts';
import { byteLength, normalize } from './normalize.ts';
import type { BufferedBreadcrumb, Breadcrumb } from './report.ts';
import { warn } from './warn.ts';

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

/**
 * Adds a breadcrumb to the buffer, unless `beforeBreadcrumb` drops it. `data` is copied only when an error is sent, so
 * callers must not change it afterwards. Returns the breadcrumb in the buffer, or undefined if it was dropped.
 */
export function recordBreadcrumb(
  client: Client,
  type: string,
  category: string,
  data: Record<string, unknown>,
): BufferedBreadcrumb | undefined {
  const { breadcrumbs, settings, isInCallback } = client;
  if (isInCallback) return;
  const { beforeBreadcrumb, maxBreadcrumbs = 64 } = settings;
  const timestamp = Date.now();
  let breadcrumb = { timestamp, type, category, data };
  if (beforeBreadcrumb) {
    const given = { ...breadcrumb, timestamp: new Date(timestamp).toISOString() };
    const changed = guard(client, () => {
      const result = callPage(client, () => beforeBreadcrumb(given));
      if (result === null) return;
      // A promise, or another value without a type, is a mistake of the page.
      if (!Object(result).type) warn(11, 'beforeBreadcrumb returned no breadcrumb', client);
      // Without a return value, the breadcrumb may have been changed in place.
      const kept: Breadcrumb = Object(result ?? given);
      return kept.type && { timestamp, type: kept.type, category: kept.category, data: kept.data };
    });
    if (!changed) return;
    breadcrumb = changed;
  }
  breadcrumbs.add(breadcrumb);
  const [oldest] = breadcrumbs;
  if (oldest && breadcrumbs.size > maxBreadcrumbs) breadcrumbs.delete(oldest);
  return breadcrumb;
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

/** Formats breadcrumbs for a report. Copies and scrubs them, and drops the oldest ones beyond 30 kB. */
export function formatBreadcrumbs(breadcrumbs: BufferedBreadcrumb[]): Breadcrumb[] | undefined {
  let bytesLeft = maxTotalBytes;
  const formatted: Breadcrumb[] = [];
  // oxlint-disable-next-line unicorn/no-array-reverse -- browsers older than 2023 have no toReversed()
  for (const { timestamp, ...breadcrumb } of breadcrumbs.reverse()) {
    const copy = normalize({ timestamp: new Date(timestamp), ...breadcrumb }, maxBytes) as Breadcrumb;
    bytesLeft -= byteLength(JSON.stringify(copy));
    if (bytesLeft < 0) break;
    formatted.unshift(copy);
  }
  return formatted[0] && formatted;
}
