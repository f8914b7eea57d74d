export type Level = 'error' | 'warning' | 'info';

/** Something that happened before an error, as it travels. */
export interface Breadcrumb {
  /** ISO 8601, UTC. */
  timestamp: string;
  type: string;
  category: string;
  data: Record<string, unknown>;
}

/**
 * What is posted to `/api/v1/errors`. It is spelled here so that the published types stand alone. The entry without
 * breadcrumbs leaves `timestamp`, `event_id` and `sdk` to the server.
 */
export interface Report {
  project_api_key: string;
  message: string;
  /** The error's class. */
  type?: string | undefined;
  /** Lines of any engine below `Type: message`; causes follow, each after a line `Caused by: Type: message`. */
  stacktrace?: string | undefined;
  level?: Level | undefined;
  environment?: string | undefined;
  release?: string | undefined;
  url?: string | undefined;
  /** When it happened: ISO 8601, UTC. */
  timestamp?: string | undefined;
  /** A UUID. A retry carries the same one, so that the server counts it once. Absent if the page came over HTTP. */
  event_id?: string | undefined;
  /** Debug ids of scripts of the stack, by URL. */
  debug_ids?: Record<string, string> | undefined;
  user?: { id: string } | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  breadcrumbs?: Breadcrumb[] | undefined;
  sdk?: { name: string; version: string } | undefined;
}
