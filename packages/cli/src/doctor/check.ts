import type { Project } from '@service/protocol';
import type { ApiClient } from '@service/api-client';
import type { PageFacts } from './read-page.ts';

/** The facts that the checks of a project share. */
export interface DoctorContext {
  api: ApiClient;
  project: Project;
  /** The API key to check: that of `--key`, else that of the project. */
  apiKey: string;
  /** The origin whose pages send the reports, or null if neither a page nor an origin is given. */
  pageOrigin: string | null;
  page: PageFacts | null;
  /** The page that could not be read, if one was given. */
  unreadPage: { url: string; reason: string } | null;
  /** The release to check, or null for the newest ones of the reports. */
  release: string | null;
  /** The release that the page most likely has: of the newest report, else of the newest map. */
  newestRelease: string | null;
  now: () => number;
}

/** The result of one check. `unknown`: there may be a problem, but the check cannot prove it. */
export interface CheckResult {
  name: string;
  state: 'ok' | 'problem' | 'unknown';
  /** The facts that were found, in whole sentences. */
  finding: string;
  /** What to do: a command or a setting. */
  fix?: string;
  /** Where to do it or to read about it. */
  link?: string;
}

export type Check = (context: DoctorContext) => Promise<CheckResult>;

/** Returns the result of a check that found no problem. */
export function ok(name: string, finding: string): CheckResult {
  return { name, state: 'ok', finding };
}

export function unknown(name: string, finding: string, fix?: string): CheckResult {
  return { name, state: 'unknown', finding, ...(fix !== undefined && { fix }) };
}

/** Returns the result of a check that needs a page, if none was given or it could not be read. */
export function withoutPage(name: string, { unreadPage }: Pick<DoctorContext, 'unreadPage'>): CheckResult {
  if (unreadPage) return unknown(name, 'The page cannot be read.');
  return unknown(name, 'No page is given.', 'Run: service doctor https://your-page.example/');
}

export function problem(name: string, finding: string, fix: string, link?: string): CheckResult {
  return { name, state: 'problem', finding, fix, ...(link !== undefined && { link }) };
}
