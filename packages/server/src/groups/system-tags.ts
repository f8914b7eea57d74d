import type { TagCount } from '@service/protocol';

/** Names that earlier versions gave to frozen user agents, with what is known of such a system. */
const renamed: Record<string, string | undefined> = {
  'Windows 10': 'Windows 10 or later',
  'macOS Catalina': 'macOS 10.15 or later',
};

/** Corrects the names of systems that were counted by an earlier version, and adds up those that are now one. */
export function systemTags(counts: readonly TagCount[]): TagCount[] {
  const totals = new Map<string, number>();
  for (const { value, count } of counts) {
    const name = renamed[value] ?? value;
    totals.set(name, (totals.get(name) ?? 0) + count);
  }
  return Array.from(totals, ([value, count]) => ({ value, count })).toSorted((a, b) => b.count - a.count);
}
