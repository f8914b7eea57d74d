import { dsnKey } from '../projects/dsn.ts';
import { invalidApiKey } from '../ingest/record-report.ts';
import type { Model } from '../store/model/model.ts';
import type { ProjectRecord } from '../store/records/records.ts';

/** Longer headers belong to no SDK. */
const maxHeaderChars = 2_000;
const maxDsnChars = 500;

/** Where SDKs put the key of a project, besides the header of an envelope. */
export interface SentKeys {
  /** `sentry_key` of the query. */
  query: string | null;
  /** `X-Sentry-Auth: Sentry sentry_key=…, sentry_version=7`. Some SDKs send it as `Authorization`. */
  headers: readonly (string | null)[];
}

/** Returns the key of the query or of a header, in this order, or null. */
export function readSentKey({ query, headers }: SentKeys): string | null {
  if (query !== null) return query;
  for (const header of headers) {
    const key = header === null ? undefined : sentryKeyField.exec(header.slice(0, maxHeaderChars))?.[1];
    if (key !== undefined) return key;
  }
  return null;
}

const sentryKeyField = /^\s*Sentry\s(?:[^]*[\s,])?sentry_key\s*=\s*"?([\w-]+)/i;

/** Returns the key of a DSN, or null if it is none: `https://<key>@errors.example.com/1`. */
export function keyOfDsn(dsn: unknown): string | null {
  if (typeof dsn !== 'string' || dsn.length > maxDsnChars) return null;
  return /^[a-z]+:\/\/([\w-]+)(?::[\w-]*)?@/i.exec(dsn)?.[1] ?? null;
}

/**
 * Returns the project that a request is for. `key` is the key of its DSN, or its API key. Throws `invalid_api_key` if there
 * is no such project, or if the key is of another one.
 */
export function findSentryProject({ tables }: Model, projectId: number, key: string): ProjectRecord {
  const project = tables.projects.get(projectId);
  if (!project || (key !== dsnKey(project.api_key) && key !== project.api_key)) throw invalidApiKey();
  return project;
}
