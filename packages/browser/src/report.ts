export type Level = 'fatal' | 'error' | 'warning' | 'info' | 'debug';

/** A step before an error, in the form of the API. */
export interface Breadcrumb {
  /** ISO 8601, UTC. */
  timestamp: string;
  type: string;
  category: string;
  data: Record<string, unknown>;
}

/** The body of `POST /api/v1/errors`. Declared here so that the published types need no other package. */
export interface ErrorReport {
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
  /** A UUID, the same in each retry, so that the server counts the report once. */
  event_id?: string | undefined;
  /** The debug ids of the scripts in the stack, by URL. */
  debug_ids?: Record<string, string> | undefined;
  user?: { id: string; name?: string | undefined; email?: string | undefined } | null | undefined;
  /** Texts that are shown with the report, by name. */
  tags?: Record<string, string> | undefined;
  /** Reports with equal fingerprints belong to one group, whatever their stack is. */
  fingerprint?: readonly string[] | undefined;
  metadata?: Record<string, unknown> | undefined;
  breadcrumbs?: Breadcrumb[] | undefined;
  /** The browser's window, language and network, soon after the error. */
  device?:
    | { viewport?: string | undefined; language?: string | undefined; connection?: string | undefined }
    | undefined;
  sdk?: { name: string; version: string } | undefined;
}

/** A report before it is copied as JSON, without secrets. */
export type RawReport = Omit<ErrorReport, 'project_api_key' | 'timestamp'> & { timestamp?: string | Date | undefined };

/** Adds details to a report that the error itself does not contain. */
export type AddDetails = (report: RawReport) => RawReport;

/** The fields of a report that the page sets, apart from the error itself. */
export type ScopeFields = Pick<
  ErrorReport,
  'environment' | 'release' | 'level' | 'user' | 'tags' | 'fingerprint' | 'metadata'
>;

/** A breadcrumb in the buffer. `timestamp` is in milliseconds since 1970: a Date takes twice as long to create. */
export type BufferedBreadcrumb = Omit<Breadcrumb, 'timestamp'> & { timestamp: number };
