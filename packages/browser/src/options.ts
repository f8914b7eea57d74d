import type { Report } from './report.ts';
import type { Post } from './transport.ts';

/** What leaves breadcrumbs; false for what shall not. */
export interface Switches {
  navigation?: boolean;
  click?: boolean;
  fetch?: boolean;
  console?: boolean;
}

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
  /** What leaves no breadcrumbs: `{ console: false }`. */
  breadcrumbs?: Switches;
  /** Changes a report, or drops it by returning null. Synchronous. */
  beforeSend?: (report: Report) => Report | null;
  /** Takes the place of the network, for tests. */
  transport?: Post;
}
