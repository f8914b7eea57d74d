import { limits, type Breadcrumb, type Truncated } from '@service/protocol';
import { isRecord, isTextOrAbsent } from '../validation/validation.ts';
import { truncateText } from './truncate-text.ts';
import { jsonBytes } from './json-bytes.ts';

/** What is left of type and category where they are too long for a breadcrumb. */
const maxNameChars = 200;
/** No breadcrumb is over its limit where all together, less what is filled in for absent fields, are this small. */
const smallBytes = limits.breadcrumbBytes - 100;

/**
 * Breadcrumbs within their limits: malformed ones dropped, the newest 100 kept, the data of large ones cut,
 * and then the oldest dropped until all fit. An absent time is that of the report.
 */
export function fitBreadcrumbs(
  breadcrumbs: readonly unknown[],
  receivedAt: number,
  truncated: Truncated,
): Breadcrumb[] {
  const kept: Breadcrumb[] = [];
  // Little text can't break a limit of bytes, so that it need not be measured breadcrumb by breadcrumb.
  const isSmall = jsonBytes(breadcrumbs) <= smallBytes;
  let isCut = false;
  // The brackets, less the comma that the first one has not.
  let bytes = 1;
  // From the newest back, until the room is used up.
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

/** Its data is cut, and its words only if they alone are too much. */
function truncateBreadcrumb(breadcrumb: Breadcrumb): Breadcrumb {
  const bare: Breadcrumb = { ...breadcrumb, data: {} };
  if (!isShort(bare)) {
    bare.type = truncateText(bare.type, maxNameChars);
    bare.category = truncateText(bare.category, maxNameChars);
  }
  return { ...bare, data: fitData(breadcrumb.data, limits.breadcrumbBytes - jsonBytes(bare)) };
}

/** As many entries as fit; the first that does not is kept as cut text. */
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

/** As much of a text as takes so many bytes of JSON with its quotes and the mark; null if that is nothing. */
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
