import type { Signal } from '../state/signal.ts';
import { GroupList, type ListQuery } from './group-list.ts';

/** A list, and the rows that are selected. */
export interface ListState {
  list: GroupList;
  chosen: Signal<ReadonlySet<number>>;
}

/** The list that was shown last: who comes back from a group finds it as it was, and goes through it with j and k. */
let shown: { path: string; list: GroupList } | null = null;
/** The group where the reader was last. */
let lastId = 0;

/** The list of an address: the one that was shown last, or a new one. */
export function showList(path: string, isHeld: () => boolean, query: () => ListQuery): GroupList {
  const list = shown?.path === path ? shown.list : new GroupList(query(), isHeld);
  list.isHeld = isHeld;
  shown = { path, list };
  return list;
}

export const shownIds = (): readonly number[] => shown?.list.ids ?? [];

/** Where the list stands. */
export const listPath = (): string => shown?.path ?? '/';

export function rememberGroup(id: number): void {
  lastId = id;
}

/** The row that has the focus, else where the reader was. */
export function currentId(): number {
  const row = document.activeElement?.closest<HTMLElement>('[data-group]');
  return Number(row?.dataset.group) || lastId;
}

export function toggle(chosen: Signal<ReadonlySet<number>>, id: number): void {
  const ids = new Set(chosen.value);
  if (!ids.delete(id)) ids.add(id);
  chosen.value = ids;
}
