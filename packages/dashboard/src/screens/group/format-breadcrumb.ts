import type { Breadcrumb } from '@service/protocol';

const summaryChars = 120;

/** A breadcrumb in one line. Anything may be in its data. */
export function sayCrumb({ data }: Breadcrumb): string {
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

/** What `sayCrumb` says, short enough for a title. */
export function summarizeCrumb(crumb: Breadcrumb): string {
  const line = sayCrumb(crumb);
  // Half of a surrogate pair would show as a replacement character.
  return line.length > summaryChars ? `${line.slice(0, summaryChars).replace(/[\uD800-\uDBFF]$/, '')}…` : line;
}

export function isBad({ data: { level, status } }: Breadcrumb): boolean {
  return level === 'error' || status === 0 || (typeof status === 'number' && status >= 400);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
