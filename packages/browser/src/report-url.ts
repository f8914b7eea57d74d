import type { Client } from './client.ts';

/** Adds the URL of a client's reports to those that `isReportUrl` knows: of all copies of the SDK on the page. */
export function addReportUrl({ page, settings }: Client): void {
  page.reportUrls ??= new Set();
  // The text that `post` in `transport.ts` passes to fetch.
  page.reportUrls.add(settings.endpoint.replace(/\/?$/, '/api/v1/errors'));
}

/** Returns whether a client of the page sends its reports to a URL. */
export function isReportUrl({ page }: Client, url: string): boolean {
  return page.reportUrls?.has(url) ?? false;
}
