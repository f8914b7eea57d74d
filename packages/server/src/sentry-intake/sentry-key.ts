/** Where SDKs put the key of a project, besides the header of an envelope. */
interface SentKeys {
  /** `sentry_key` of the query. */
  query: string | null;
  /** `X-Sentry-Auth: Sentry sentry_key=…, sentry_version=7`. Some SDKs send it as `Authorization`. */
  headers: readonly (string | null)[];
}

/** Longer headers belong to no SDK. */
const maxHeaderChars = 2_000;
const maxDsnChars = 500;
const sentryKeyField = /^\s*Sentry\s(?:[^]*[\s,])?sentry_key\s*=\s*"?([\w-]+)/i;

/** Returns the key of the query or of a header, in this order, or null. */
export function readSentKey({ query, headers }: SentKeys): string | null {
  if (query !== null) return query;
  for (const header of headers) {
    const key = header === null ? undefined : sentryKeyField.exec(header.slice(0, maxHeaderChars))?.[1];
    if (key !== undefined) return key;
  }
  return null;
}

/** Returns the key of a DSN, or null if it is none: `https://<key>@errors.example.com/1`. */
export function keyOfDsn(dsn: unknown): string | null {
  if (typeof dsn !== 'string' || dsn.length > maxDsnChars) return null;
  return /^[a-z]+:\/\/([\w-]+)(?::[\w-]*)?@/i.exec(dsn)?.[1] ?? null;
}
