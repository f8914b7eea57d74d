import type { Breadcrumb } from '@service/protocol';
import { isFailed } from './format-breadcrumb.ts';

const maxTypes = 10;
const maxTypeChars = 40;
const failed = 'failed';

/** Returns the filters for these breadcrumbs: all, the failed ones, and the most frequent types. */
export function filterOptions(breadcrumbs: readonly Breadcrumb[]): [value: string, title: string][] {
  const counts = new Map<string, number>();
  for (const { type } of breadcrumbs) if (type !== '') counts.set(type, (counts.get(type) ?? 0) + 1);
  const failures = breadcrumbs.filter(isFailed).length;
  return [
    ['', `All (${breadcrumbs.length})`],
    ...(failures > 0 ? [[failed, `Failed (${failures})`] as [string, string]] : []),
    ...Array.from(counts)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, maxTypes)
      .map(([type, count]): [string, string] => [`type ${type}`, `${type.slice(0, maxTypeChars)} (${count})`]),
  ];
}

/** Returns whether a breadcrumb passes a filter, given by its value. */
export function matchesFilter(breadcrumb: Breadcrumb, filter: string): boolean {
  if (filter === '') return true;
  return filter === failed ? isFailed(breadcrumb) : filter === `type ${breadcrumb.type}`;
}
