import { limits, type Truncated } from '@service/protocol';
import { truncateText } from './truncate-text.ts';
import { jsonBytes } from './json-bytes.ts';

type Metadata = Record<string, unknown>;

/** Metadata within its limits: long strings cut, deep values as JSON text, the last keys dropped. */
export function fitMetadata(metadata: Metadata, truncated: Truncated): Metadata {
  if (isWithinLimits(metadata)) return metadata;
  const keys = Object.keys(metadata);
  let isCut = keys.length > limits.metadataKeys;
  const kept: [string, unknown][] = [];
  // The braces, less the comma that the first key has not.
  let bytes = 1;
  for (const key of keys.slice(0, limits.metadataKeys)) {
    const value = fitValue(metadata[key], 2, () => (isCut = true));
    bytes += jsonBytes(key) + jsonBytes(value) + 2;
    if (bytes > limits.metadataBytes) {
      isCut = true;
      break;
    }
    kept.push([key, value]);
  }
  if (isCut) truncated.metadata = keys.length;
  // Not by assignment: a key `__proto__` is data like any other.
  return Object.fromEntries(kept);
}

/** Little text can't break a limit of bytes or of a string, so that only keys and depth are left to look at. */
function isWithinLimits(metadata: Metadata): boolean {
  return (
    jsonBytes(metadata) <= limits.metadataStringChars &&
    Object.keys(metadata).length <= limits.metadataKeys &&
    isWithinDepth(metadata, 1)
  );
}

function isWithinDepth(container: object, depth: number): boolean {
  if (depth > limits.metadataDepth) return false;
  for (const value of Object.values(container)) {
    if (typeof value === 'object' && value !== null && !isWithinDepth(value as object, depth + 1)) return false;
  }
  return true;
}

/** The metadata object itself is depth 1. */
function fitValue(value: unknown, depth: number, cut: () => void): unknown {
  if (typeof value === 'string') {
    if (value.length > limits.metadataStringChars) cut();
    return truncateText(value, limits.metadataStringChars);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > limits.metadataDepth) {
    cut();
    return truncateText(JSON.stringify(value), limits.metadataStringChars);
  }
  if (Array.isArray(value)) return value.map((item) => fitValue(item, depth + 1, cut));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fitValue(item, depth + 1, cut)]));
}
