import { limits, type Breadcrumb, type Truncated } from '@service/protocol';
import { isRecord, isTextOrAbsent } from '../validation/validation.ts';
import { truncateText } from './truncate-text.ts';
import { jsonBytes } from './json-bytes.ts';

/** Type and category are truncated to this length if they alone exceed the limit of a breadcrumb. */
const maxBreadcrumbNameChars = 200;
/**
 * If all breadcrumbs together take at most this many bytes, none exceeds its limit. It is below the limit of a
 * breadcrumb to leave room for the defaults of absent fields.
 */
const alwaysFitsBytes = limits.breadcrumbBytes - 100;

/**
 * Returns the breadcrumbs within their limits. Drops malformed ones, keeps the newest 100, truncates large ones, then
 * drops the oldest until all fit. A breadcrumb without a timestamp gets the time at which the report was received.
 */
export function fitBreadcrumbs(
  breadcrumbs: readonly unknown[],
  receivedAt: number,
  truncated: Truncated,
): Breadcrumb[] {
  const kept: Breadcrumb[] = [];
  // Short text cannot exceed a byte limit, so single breadcrumbs need no measuring.
  const isSmall = jsonBytes(breadcrumbs) <= alwaysFitsBytes;
  let isCut = false;
  // The brackets take two bytes; the first breadcrumb has no comma.
  let bytes = 1;
  for (let index = breadcrumbs.length - 1; index >= 0 && kept.length < limits.breadcrumbs; index--) {
    const breadcrumb = readBreadcrumb(breadcrumbs[index], receivedAt);
    if (!breadcrumb) continue;
    const fitted = isSmall || isShort(breadcrumb) ? breadcrumb : truncateBreadcrumb(breadcrumb);
    isCut ||= fitted !== breadcrumb;
    if (!isSmall) bytes += jsonBytes(fitted) + 1;
    if (bytes > limits.breadcrumbsBytes) break;
    kept.push(fitted);
  }
  if (isCut || kept.length < breadcrumbs.length) truncated.breadcrumbs = breadcrumbs.length;
  return kept.toReversed();
}

function readBreadcrumb(value: unknown, receivedAt: number): Breadcrumb | null {
  if (!isRecord(value)) return null;
  const { timestamp, type, category, data } = value;
  if (!isTextOrAbsent(timestamp) || !isTextOrAbsent(type) || !isTextOrAbsent(category)) return null;
  if (typeof timestamp === 'string' && (timestamp.length > 64 || Number.isNaN(Date.parse(timestamp)))) return null;
  if (data !== undefined && data !== null && !isRecord(data)) return null;
  return {
    timestamp: timestamp ?? new Date(receivedAt).toISOString(),
    type: type ?? 'default',
    category: category ?? 'default',
    data: data ?? {},
  };
}

function isShort(breadcrumb: Breadcrumb): boolean {
  return jsonBytes(breadcrumb) <= limits.breadcrumbBytes;
}

/** Truncates the data, and type and category only if they alone are too long. */
function truncateBreadcrumb(breadcrumb: Breadcrumb): Breadcrumb {
  const bare: Breadcrumb = { ...breadcrumb, data: {} };
  if (!isShort(bare)) {
    bare.type = truncateText(bare.type, maxBreadcrumbNameChars);
    bare.category = truncateText(bare.category, maxBreadcrumbNameChars);
  }
  return { ...bare, data: fitData(breadcrumb.data, limits.breadcrumbBytes - jsonBytes(bare)) };
}

/** Keeps the entries that fit. The first that does not is truncated, as text; the rest is dropped. */
function fitData(data: Breadcrumb['data'], roomBytes: number): Breadcrumb['data'] {
  const kept: [string, unknown][] = [];
  let room = roomBytes;
  for (const [key, value] of Object.entries(data)) {
    const rest = room - jsonBytes(key) - 2;
    const size = jsonBytes(value);
    if (size > rest) {
      const text = truncateToJson(typeof value === 'string' ? value : JSON.stringify(value), rest);
      if (text !== null) kept.push([key, text]);
      break;
    }
    kept.push([key, value]);
    room = rest - size;
  }
  return Object.fromEntries(kept);
}

/**
 * Truncates a text to a number of bytes of JSON, including quotes and truncation mark. Returns null if nothing fits.
 */
function truncateToJson(text: string, roomBytes: number): string | null {
  let fits = 0;
  let tooLong = Math.min(text.length, roomBytes);
  while (fits < tooLong) {
    const middle = Math.ceil((fits + tooLong) / 2);
    if (jsonBytes(truncateText(text, middle)) <= roomBytes) fits = middle;
    else tooLong = middle - 1;
  }
  return fits > 0 ? truncateText(text, fits) : null;
}
