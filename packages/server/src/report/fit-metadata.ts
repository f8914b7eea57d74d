import { limits, type Truncated } from '@service/protocol';
import { truncateText } from './truncate-text.ts';
import { jsonBytes } from './json-bytes.ts';

type Metadata = Record<string, unknown>;

/**
 * Returns the metadata within its limits. Truncates long strings, turns deep values into JSON text, drops the last
 * keys.
 */
export function fitMetadata(metadata: Metadata, truncated: Truncated): Metadata {
  if (isMetadataWithinLimits(metadata)) return metadata;
  const keys = Object.keys(metadata);
  let isTruncated = keys.length > limits.metadataKeys;
  const kept: [string, unknown][] = [];
  // The braces take two bytes; the first key has no comma.
  let bytes = 1;
  for (const key of keys.slice(0, limits.metadataKeys)) {
    const value = fitValue(metadata[key], 2, () => (isTruncated = true));
    bytes += jsonBytes(key) + jsonBytes(value) + 2;
    if (bytes > limits.metadataBytes) {
      isTruncated = true;
      break;
    }
    kept.push([key, value]);
  }
  if (isTruncated) truncated.metadata = keys.length;
  // Assignment would treat a key `__proto__` differently. Here it is data like any other key.
  return Object.fromEntries(kept);
}

/**
 * Returns whether nothing must be truncated. Short text cannot exceed a limit of bytes or of a string, so only keys and
 * depth are checked.
 */
function isMetadataWithinLimits(metadata: Metadata): boolean {
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

/** Calls `onTruncate` if the value exceeds a limit. The metadata object itself has depth 1. */
function fitValue(value: unknown, depth: number, onTruncate: () => void): unknown {
  if (typeof value === 'string') {
    if (value.length > limits.metadataStringChars) onTruncate();
    return truncateText(value, limits.metadataStringChars);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > limits.metadataDepth) {
    onTruncate();
    return truncateText(JSON.stringify(value), limits.metadataStringChars);
  }
  if (Array.isArray(value)) return value.map((item) => fitValue(item, depth + 1, onTruncate));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fitValue(item, depth + 1, onTruncate)]));
}
