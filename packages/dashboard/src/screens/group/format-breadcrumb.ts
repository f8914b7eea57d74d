import type { Breadcrumb } from '@service/protocol';

const maxSummaryChars = 120;

/** Formats a breadcrumb in one line. Its data can contain anything. */
export function formatBreadcrumb({ data }: Breadcrumb): string {
  if ('url' in data) {
    const method = text(data.method ?? '');
    const outcome = 'status' in data ? ` → ${text(data.status) === '0' ? 'failed' : text(data.status)}` : '';
    return `${method} ${text(data.url)}${outcome}`.trim();
  }
  if (Array.isArray(data.arguments)) return `${text(data.level ?? 'log')}: ${data.arguments.map(text).join(' ')}`;
  if ('to' in data) return `${text(data.from ?? '')} → ${text(data.to)}`;
  if ('selector' in data) return text(data.selector);
  if ('message' in data) return text(data.message);
  return Object.keys(data).length === 0 ? '' : text(data);
}

/** Formats a breadcrumb for a title, in at most 120 characters. */
export function summarizeBreadcrumb(breadcrumb: Breadcrumb): string {
  const line = formatBreadcrumb(breadcrumb);
  // A lone surrogate would be shown as a replacement character.
  return line.length > maxSummaryChars ? `${line.slice(0, maxSummaryChars).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}

/** Returns whether a breadcrumb is a failed request or an error in the console. */
export function isFailed({ data: { level, status } }: Breadcrumb): boolean {
  return level === 'error' || status === 0 || (typeof status === 'number' && status >= 400);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
