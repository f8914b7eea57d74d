import { checkUserDetails } from './check-user-details.ts';
import type { Client } from './client.ts';
import { guard } from './guard.ts';
import { normalize, truncate } from './normalize.ts';
import { readProperty } from './read-property.ts';
import type { ErrorReport, Level, ScopeFields } from './report.ts';
import { warn } from './warn.ts';

/** The user of the page. The id is any text or number that identifies the user for you. */
export interface User {
  id: string | number;
  /** Sent only with the option `sendUserDetails`. */
  name?: string | null | undefined;
  /** Sent only with the option `sendUserDetails`. */
  email?: string | null | undefined;
}

/** The value of a tag, which becomes a text. Null deletes the tag. */
export type TagValue = string | number | boolean | null | undefined;

export interface Tags {
  readonly [name: string]: TagValue;
}

/** The fields of one report only. They override those of the scope; metadata and tags are merged. */
export interface CaptureContext {
  level?: Level | undefined;
  metadata?: object | undefined;
  tags?: Tags | undefined;
  user?: User | null | undefined;
  /** Reports with equal fingerprints belong to one group, whatever their stack is. */
  fingerprint?: string | readonly string[] | undefined;
}

/** Sets what reports carry. Values are copied. */
export interface Scope {
  setLevel(level: Level): void;
  /** Sets the user; null or undefined removes it. */
  setUser(user: User | null | undefined): void;
  /** Sets a tag, which is shown with the report; null deletes it. */
  setTag(name: string, value: TagValue): void;
  setTags(tags: Tags): void;
  /** Merges keys into the metadata; null deletes a key. */
  setMetadata(changes: object): void;
  /** Groups the reports by these texts in place of their stack. */
  setFingerprint(fingerprint: string | readonly string[]): void;
}

/**
 * The server stores 32 tags of a report, and marks the tags as truncated if there are more. Any beyond that mark would
 * take the place of breadcrumbs and metadata.
 */
const maxTags = 33;

/** Returns the functions that change a scope of a client. Without a client, they do nothing. */
export function scopeOf(client: Client | undefined, fields: ScopeFields): Scope {
  const set = (change: CaptureContext): void => void (client && applyContext(client, fields, change));
  return {
    setLevel: (level) => set({ level }),
    setUser: (user) => set({ user: user ?? null }),
    setTag: (name, value) => set({ tags: { [name]: value } }),
    setTags: (tags) => set({ tags }),
    setMetadata: (metadata) => set({ metadata }),
    setFingerprint: (fingerprint) => set({ fingerprint }),
  };
}

/** Calls `run` with a separate scope, which ends when `run` returns. Without a client, the scope has no effect. */
export function runWithScope<Result>(client: Client | undefined, run: (scope: Scope) => Result): Result {
  if (!client) return run(scopeOf(client, {}));
  const outer = client.scope;
  client.scope = { ...outer };
  try {
    return run(scopeOf(client, client.scope));
  } finally {
    client.scope = outer;
  }
}

/** Adds a context to the fields of a scope. What cannot be read is dropped. */
export function applyContext(client: Client, fields: ScopeFields, context: CaptureContext): void {
  guard(client, () => {
    const { level, metadata, tags, user, fingerprint } = context;
    if (level) fields.level = level;
    if (metadata) {
      const copy = normalize(metadata);
      // A Map, an error or a text has become a text, which has no keys to merge.
      fields.metadata = merge(fields.metadata, Object(copy) === copy ? Object(copy) : { value: copy });
    }
    if (tags) {
      const texts = Object.keys(tags).map((name) => [name, toTagText(client, readProperty(tags, name))]);
      const merged = Object.entries(merge(fields.tags, Object.fromEntries(texts)));
      fields.tags = Object.fromEntries(merged.slice(0, maxTags));
    }
    checkUserDetails(client, user);
    if (user !== undefined) fields.user = readUser(client, user);
    if (fingerprint) fields.fingerprint = [fingerprint].flat().map(toText);
  });
}

function readUser(client: Client, user: User | null): ErrorReport['user'] {
  const { id, name, email, ...others }: Partial<User> = Object(user);
  if (Object.keys(others)[0] || (id == null && (name || email))) warn(12, 'setUser() takes id, name and email', client);
  if (id == null) return null;
  if (!client.settings.sendUserDetails) return { id: toText(id) };
  return { id: toText(id), ...(name && { name: toText(name) }), ...(email && { email: toText(email) }) };
}

/**
 * Returns the first 200 characters of a value's text: the server's limit for users, tags and fingerprints. A longer
 * text also gets a `…`, with which it exceeds the limit, so the server marks it as truncated.
 */
function toText(value: unknown): string {
  return truncate(String(value), 200);
}

/** Returns the text of a tag, or undefined to delete it. One tag that has no text does not drop the others. */
function toTagText(client: Client, value: unknown): string | undefined {
  if (value != null) return guard(client, () => toText(value));
}

/** Returns both objects in one, without the members that are null. */
function merge<Value>(current: Record<string, Value> | undefined, changes: object): Record<string, Value> {
  return Object.fromEntries(Object.entries({ ...current, ...changes }).filter(([, value]) => value != null));
}
