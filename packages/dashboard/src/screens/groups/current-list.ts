import type { Signal } from '@preact/signals';
import { listen } from '../../live/live.ts';
import { previousPath } from '../../router/address.ts';
import { GroupList, type ListQuery } from './group-list.ts';

/** A list, and the rows that are selected. */
export interface ListState {
  list: GroupList;
  chosen: Signal<ReadonlySet<number>>;
}

/** The list that was shown last: who comes back from a group finds it as it was, and goes through it with j and k. */
let shown: { path: string; list: GroupList; scrollTop: number; deaf(): void } | null = null;
/** The group where the reader was last. */
let lastId = 0;

/** The list of an address: the one that was shown last, or a new one. */
export function showList(path: string, isHeld: () => boolean, query: () => ListQuery): GroupList {
  if (shown?.path !== path) {
    shown?.deaf();
    const list = new GroupList(query(), isHeld);
    shown = { path, list, scrollTop: 0, deaf: listen((event) => list.hear(event)) };
  }
  shown.list.isHeld = isHeld;
  return shown.list;
}

export function rememberScroll(): void {
  if (shown) shown.scrollTop = scrollY;
}

export const shownIds = (): readonly number[] => shown?.list.ids ?? [];

/** Where the list stands. */
export const listPath = (): string => shown?.path ?? '/';

export function rememberGroup(id: number): void {
  lastId = id;
}

/** The group whose row has the focus; 0: none. What changes a group by a key takes no other: a reader sees which it is. */
export function focusedId(): number {
  const row = document.activeElement?.closest<HTMLElement>('[data-group]');
  return Number(row?.dataset.group) || 0;
}

/** The row that has the focus, else where the reader was. */
export const currentId = (): number => focusedId() || lastId;

export const rowLink = (id: number): HTMLElement | null => document.querySelector(`[data-group="${id}"] a`);

/** Puts a reader who comes back from a group where they were: to the same place of the list, and into the group's row. */
export function returnToRow(): void {
  const link = rowLink(lastId);
  if (!shown || !link || !previousPath.startsWith('/groups/')) return;
  scrollTo(0, shown.scrollTop);
  link.focus({ preventScroll: true });
  // Stepping from group to group may have led beyond what was to be seen of the list.
  link.scrollIntoView({ block: 'nearest' });
}

export function toggle(chosen: Signal<ReadonlySet<number>>, id: number): void {
  const ids = new Set(chosen.value);
  if (!ids.delete(id)) ids.add(id);
  chosen.value = ids;
}
