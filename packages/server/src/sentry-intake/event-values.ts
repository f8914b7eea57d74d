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
