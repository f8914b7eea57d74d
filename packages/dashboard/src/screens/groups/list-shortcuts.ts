import { pagePath } from '../../components/pager.tsx';
import { go } from '../../router/address.ts';
import { canWrite } from '../../session/permissions.ts';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import { currentGroupId, focusedGroupId, rowLink, toggleSelected, type ListState } from './current-list.ts';
import { setStatus } from './set-status.ts';
import { stayForMovedRows } from './stay-for-moved-rows.ts';

/** The keyboard shortcuts of the list. */
export function useListShortcuts({ list, selected }: ListState): void {
  const moveFocus = (by: number) => (): void => {
    const index = list.ids.indexOf(currentGroupId());
    const next = list.ids[index < 0 ? 0 : Math.max(0, Math.min(list.ids.length - 1, index + by))];
    rowLink(next ?? 0)?.focus();
  };
  const turnPage = (by: number) => (): void => {
    const page = list.query.page + by;
    if (page < 1 || page > (list.view.value?.pages ?? 1) || (by > 0 && stayForMovedRows(list))) return;
    go(pagePath('page', page));
  };
  useShortcuts({
    j: moveFocus(1),
    k: moveFocus(-1),
    n: turnPage(1),
    p: turnPage(-1),
    '.': () => list.showNew(),
    x: () => canWrite() && list.rows.has(focusedGroupId()) && toggleSelected(selected, focusedGroupId()),
    r: () => {
      const ids = selected.value.size > 0 ? [...selected.value] : [focusedGroupId()];
      const first = list.rows.get(ids[0] ?? 0)?.value;
      if (!first || !canWrite()) return;
      selected.value = new Set();
      void setStatus(ids, ids.length === 1 && first.status === 'resolved' ? 'active' : 'resolved');
    },
  });
}
