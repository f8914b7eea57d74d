import { isRecord } from '../validation/validation.ts';

/** A JSON object of an event. Its fields may have any type. */
export type EventFields = Readonly<Record<string, unknown>>;

/** Returns a text, number or boolean as text, else undefined. Some SDKs send numbers and booleans unconverted. */
export function eventText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
}

export function eventFields(value: unknown): EventFields {
  return isRecord(value) ? value : noEventFields;
}

const noEventFields: EventFields = {};

/** Returns the items of a list: an array or `{ values: [] }`. Skips the nulls that SDKs send for dropped items. */
export function itemsOf(value: unknown): EventFields[] {
  const items = isRecord(value) ? value.values : value;
  return Array.isArray(items) ? (items as unknown[]).filter(isRecord) : [];
}

/** Returns the names and values that SDKs send as an object or as a list of pairs. */
export function pairsOf(value: unknown): [name: string, value: unknown][] {
  if (isRecord(value)) return Object.entries(value);
  if (!Array.isArray(value)) return [];
  return (value as unknown[]).flatMap((pair): [string, unknown][] =>
    Array.isArray(pair) && typeof pair[0] === 'string' ? [[pair[0], pair[1]]] : [],
  );
}

/**
 * Returns a point in time as ISO 8601 text, or undefined. SDKs send seconds since 1970, or text without a time zone.
 */
export function timeOf(value: unknown, shiftMs = 0): string | undefined {
  const ms = millisecondsOf(value) + shiftMs;
  // Outside of this range a date has no text.
  return Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined;
}

/** Returns NaN if the value is no point in time. */
export function millisecondsOf(value: unknown): number {
  if (typeof value === 'number') return value * 1000;
  if (typeof value !== 'string' || value.length > 64) return Number.NaN;
  return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
}

/** Cached results of `isSecretName`. Events repeat the same few names, and the pattern is long. */
const secretNames = new AdmissionCache<boolean>(2_000, 100_000);

/** Works like `isSecretName`, and remembers names that occur repeatedly. */
export function isSecretField(name: string): boolean {
  let isSecret = secretNames.get(name);
  if (isSecret === undefined) secretNames.set(name, (isSecret = isSecretName(name)));
  return isSecret;
}

/**
 * Returns a value without the values of secrets: passwords, tokens, cookies and the like, recognized by their names,
 * also in the queries of URLs. Most values have none: then the same object is returned.
 */
export function withSecretsRemoved(value: unknown): unknown {
  return mayHaveSecrets(value) ? copyWithoutSecrets(value) : value;
}

function mayHaveSecrets(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('=');
  if (Array.isArray(value)) return value.some(mayHaveSecrets);
  if (!isRecord(value)) return false;
  // Object.entries would allocate an array for each pair. Parsed JSON inherits no enumerable keys.
  for (const name in value) if (isSecretField(name) || mayHaveSecrets(value[name])) return true;
  return false;
}

function copyWithoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return textWithoutSecrets(value);
  if (Array.isArray(value)) return value.map(copyWithoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isSecretField(name) ? removedText : copyWithoutSecrets(item)]),
  );
}

/** The query and the fragment of each URL in a text. Both begin with their mark. */
const partsOfUrls = /[?#][^\s#"'<>?]+/g;

/** Returns a text without the values of secrets in the URLs that it contains. */
export function textWithoutSecrets(text: string): string {
  return text.includes('=') ? text.replace(partsOfUrls, queryWithoutSecrets) : text;
}

/** Returns a query without the values of secrets. */
export function queryWithoutSecrets(query: string): string {
  return query.replace(/(^|[?&])([^=&]*)=[^&]*/g, (field, before: string, name: string) =>
    isSecretField(name) ? `${before}${name}=${removedText}` : field,
  );
}
