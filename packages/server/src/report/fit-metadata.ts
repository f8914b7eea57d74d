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
  let isCut = keys.length > limits.metadataKeys;
  const kept: [string, unknown][] = [];
  // The braces take two bytes; the first key has no comma.
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
