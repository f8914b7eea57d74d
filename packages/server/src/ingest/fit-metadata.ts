import { limits, type Truncated } from '@service/protocol';
import { cutText } from './cut-text.ts';

type Metadata = Record<string, unknown>;

/** Metadata within its limits: long strings cut, deep values as JSON text, the last keys dropped. */
export function fitMetadata(metadata: Metadata, truncated: Truncated): Metadata {
  const keys = Object.keys(metadata);
  let isCut = keys.length > limits.metadataKeys;
  const kept: [string, unknown][] = [];
  let bytes = 2;
  for (const key of keys.slice(0, limits.metadataKeys)) {
    const value = fitValue(metadata[key], 2, () => (isCut = true));
    bytes += jsonBytes(key) + jsonBytes(value) + 2;
    if (bytes > limits.metadataBytes) {
      isCut = true;
      break;
    }
    kept.push([key, value]);
  }
  if (!isCut) return metadata;
  truncated.metadata = keys.length;
  // Not by assignment: a key `__proto__` is data like any other.
  return Object.fromEntries(kept);
}

/** The metadata object itself is depth 1. */
function fitValue(value: unknown, depth: number, cut: () => void): unknown {
  if (typeof value === 'string') {
    if (value.length > limits.metadataStringChars) cut();
    return cutText(value, limits.metadataStringChars);
  }
  if (typeof value !== 'object' || value === null) return value;
  if (depth > limits.metadataDepth) {
    cut();
    return cutText(JSON.stringify(value), limits.metadataStringChars);
  }
  if (Array.isArray(value)) return value.map((item) => fitValue(item, depth + 1, cut));
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, fitValue(item, depth + 1, cut)]));
}

function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
