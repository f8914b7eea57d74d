import type { Report } from './report.ts';
import type { Post } from './transport.ts';

export interface Options {
  /** The project's key, from its settings in the dashboard. It can only send reports. */
  apiKey: string;
  /** The server's base URL: `https://errors.example.com`. */
  endpoint: string;
  environment?: string;
  /** The application's version. */
  release?: string;
  /** How many breadcrumbs are kept: 64. */
  maxBreadcrumbs?: number;
  /** Changes a report, or drops it by returning null. Synchronous. */
  beforeSend?: (report: Report) => Report | null;
  /** Takes the place of the network, for tests. */
  transport?: Post;
}
