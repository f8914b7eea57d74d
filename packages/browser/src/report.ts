export type Level = 'error' | 'warning' | 'info';

/** A step before an error, in the form of the API. */
export interface Breadcrumb {
  /** ISO 8601, UTC. */
  timestamp: string;
  type: string;
  category: string;
  data: Record<string, unknown>;
}

/**
 * The body of `POST /api/v1/errors`. Declared here so that the published types need no other package. The `errors` entry
 * omits `timestamp`, `event_id` and `sdk`; the server fills in the time.
 */
export interface Report {
  project_api_key: string;
  message: string;
  /** The error's class. */
  type?: string | undefined;
  /** `Type: message` and the engine's frames. Causes follow, each after a line `Caused by: Type: message`. */
  stacktrace?: string | undefined;
  level?: Level | undefined;
  environment?: string | undefined;
  release?: string | undefined;
  url?: string | undefined;
  /** The time of the error: ISO 8601, UTC. */
  timestamp?: string | undefined;
  /** A UUID, the same in each retry, so that the server counts the report once. Absent on pages loaded by plain HTTP. */
  event_id?: string | undefined;
  /** The debug ids of the scripts in the stack, by URL. */
  debug_ids?: Record<string, string> | undefined;
  user?: { id: string } | null | undefined;
  metadata?: Record<string, unknown> | undefined;
  breadcrumbs?: Breadcrumb[] | undefined;
  sdk?: { name: string; version: string } | undefined;
}
