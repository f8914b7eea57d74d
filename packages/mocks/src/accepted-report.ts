/** A breadcrumb of a report. */
export interface Breadcrumb {
  timestamp: string;
  type: string;
  category: string;
  data: Record<string, unknown>;
}

/** A report that the service has accepted: the fields that the SDK sent, and the response of the server. */
export interface AcceptedReport {
  message: string;
  type?: string;
  stacktrace?: string;
  /** `error` if the app has set none. */
  level?: 'fatal' | 'error' | 'warning' | 'info' | 'debug';
  environment?: string;
  release?: string;
  url?: string;
  user_agent?: string;
  timestamp?: string;
  event_id?: string;
  user?: { id: string; name?: string; email?: string } | null;
  tags?: Record<string, string>;
  metadata?: Record<string, unknown>;
  breadcrumbs?: Breadcrumb[];
  /** Other fields, such as those of a Python app. */
  [field: string]: unknown;
  /** The group that the server has chosen. Reports of the same error have the same group. */
  error_group_id: number;
  fingerprint: string;
  is_new_group: boolean;
}
