import type { Breadcrumb } from '@service/protocol';
import { isBad } from './format-breadcrumb.ts';

const maxKinds = 10;
const kindChars = 40;
const failed = 'failed';

/** What the steps can be narrowed to: all, those that failed, or one of the most frequent kinds. */
export function filterChoices(breadcrumbs: readonly Breadcrumb[]): [value: string, title: string][] {
  const counts = new Map<string, number>();
  for (const { type } of breadcrumbs) if (type !== '') counts.set(type, (counts.get(type) ?? 0) + 1);
  const failures = breadcrumbs.filter(isBad).length;
  return [
    ['', `All steps (${breadcrumbs.length})`],
    ...(failures > 0 ? [[failed, `Failed (${failures})`] as [string, string]] : []),
    ...Array.from(counts)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, maxKinds)
      .map(([type, count]): [string, string] => [`type ${type}`, `${type.slice(0, kindChars)} (${count})`]),
  ];
}

export function matchesChoice(crumb: Breadcrumb, choice: string): boolean {
  if (choice === '') return true;
  return choice === failed ? isBad(crumb) : choice === `type ${crumb.type}`;
}
