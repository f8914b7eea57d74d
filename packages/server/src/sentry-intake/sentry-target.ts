/** The project and the endpoint to which a Sentry SDK sends a request. */
export interface SentryTarget {
  projectId: number;
  /** An envelope has several items. A body for the older endpoint is one event. */
  kind: 'envelope' | 'store';
  query: string;
}

/** A DSN may have a path, and some SDKs double a slash. */
const targetPath = /^[^?#]*\/api\/+(\d{1,15})\/+(envelope|store)\/*(?:\?([^#]*))?$/;

/** Returns what a URL or its path addresses, or null if it is no endpoint of Sentry's SDKs. */
export function readSentryTarget(url: string): SentryTarget | null {
  if (!url.includes('/envelope') && !url.includes('/store')) return null;
  const [, id, kind, query = ''] = targetPath.exec(url) ?? [];
  return kind === 'envelope' || kind === 'store' ? { projectId: Number(id), kind, query } : null;
}
