import type { Signal } from '@preact/signals';
import { onEvent } from '../../live/live-events.ts';
import { previousPath } from '../../router/address.ts';
import { GroupList, type ListQuery } from './group-list.ts';

/** A list and its selected rows. */
export interface ListState {
  list: GroupList;
  selected: Signal<ReadonlySet<number>>;
}

/** The list that was shown last. Back restores it, and on the screen of an error, j and k step through it. */
let current: { path: string; list: GroupList; scrollTop: number; unsubscribe(): void } | null = null;
/** The id of the group that was focused or opened last. */
let lastGroupId = 0;

/** Returns the list of an address: the one that was shown last, or a new one. */
export function openList(path: string, isInUse: () => boolean, readQuery: () => ListQuery): GroupList {
  if (current?.path !== path) {
    current?.unsubscribe();
    const list = new GroupList(readQuery(), isInUse);
    current = { path, list, scrollTop: 0, unsubscribe: onEvent((event) => list.handleEvent(event)) };
  }
  current.list.isInUse = isInUse;
  return current.list;
}

export function rememberScroll(): void {
  if (current) current.scrollTop = scrollY;
}

export const currentIds = (): readonly number[] => current?.list.ids ?? [];

/** Returns the address of the list. */
export const listPath = (): string => current?.path ?? '/';

export function rememberGroup(id: number): void {
  lastGroupId = id;
}

/**
 * Returns the id of the group whose row has the focus, or 0. A shortcut changes only this group, because the user can
 * see it.
 */
export function focusedGroupId(): number {
  const row = document.activeElement?.closest<HTMLElement>('[data-group]');
  return Number(row?.dataset.group) || 0;
}

/** Returns the id of the group whose row has the focus, or else of the last one that had it or was opened. */
export const currentGroupId = (): number => focusedGroupId() || lastGroupId;

export const rowLink = (id: number): HTMLElement | null => document.querySelector(`[data-group="${id}"] a`);

/** Restores scroll position and focus for a user who comes back from an error. */
export function restorePosition(): void {
  const link = rowLink(lastGroupId);
  if (!current || !link || !previousPath.startsWith('/groups/')) return;
  scrollTo(0, current.scrollTop);
  link.focus({ preventScroll: true });
  // On the error's screen, j and k may have moved to a row that was not visible.
  link.scrollIntoView({ block: 'nearest' });
}

export function toggleSelected(selected: Signal<ReadonlySet<number>>, id: number): void {
  const ids = new Set(selected.value);
  if (!ids.delete(id)) ids.add(id);
  selected.value = ids;
}
