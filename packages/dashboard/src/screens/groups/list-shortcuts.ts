import { useKeys } from '../../shortcuts/use-shortcuts.ts';
import { pagePath } from '../../components/pager.tsx';
import { go } from '../../router/address.ts';
import { mayWrite } from '../../session/session.ts';
import { setStatus } from './set-status.ts';
import { currentId, focusedId, rowLink, toggle, type ListState } from './current-list.ts';
import { stayForMoved } from './stay-for-moved-rows.ts';

/** The list by keyboard alone. */
export function useListKeys({ list, chosen }: ListState): void {
  const step = (by: number) => (): void => {
    const at = list.ids.indexOf(currentId());
    const next = list.ids[at < 0 ? 0 : Math.max(0, Math.min(list.ids.length - 1, at + by))];
    rowLink(next ?? 0)?.focus();
  };
  const turn = (by: number) => (): void => {
    const page = list.query.page + by;
    if (page < 1 || page > (list.view.value?.pages ?? 1) || (by > 0 && stayForMoved(list))) return;
    go(pagePath('page', page));
  };
  useKeys({
    j: step(1),
    k: step(-1),
    n: turn(1),
    p: turn(-1),
    '.': () => list.showNews(),
    x: () => list.rows.has(focusedId()) && toggle(chosen, focusedId()),
    r: () => {
      const ids = chosen.value.size > 0 ? [...chosen.value] : [focusedId()];
      const first = list.rows.get(ids[0] ?? 0)?.value;
      if (!first || !mayWrite()) return;
      chosen.value = new Set();
      void setStatus(ids, ids.length === 1 && first.status === 'resolved' ? 'active' : 'resolved');
    },
  });
}
