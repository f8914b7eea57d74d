import type { TagCount } from '@service/protocol';

/** Names that earlier versions derived from frozen user agents, and the correct names. */
const renamed: Record<string, string | undefined> = {
  'Windows 10': 'Windows 10 or later',
  'macOS Catalina': 'macOS 10.15 or later',
};

/** Corrects the names of operating systems that an earlier version has counted, and merges equal ones. */
export function correctSystemNames(counts: readonly TagCount[]): TagCount[] {
  const totals = new Map<string, number>();
  for (const { value, count } of counts) {
    const name = renamed[value] ?? value;
    totals.set(name, (totals.get(name) ?? 0) + count);
  }
  return Array.from(totals, ([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count);
}
