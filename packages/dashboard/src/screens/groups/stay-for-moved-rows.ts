import { showToast } from '../../components/toast.tsx';
import type { GroupList } from './group-list.ts';
import { changingIds } from './set-status.ts';

/**
 * Called before the next page opens. When rows leave the list, rows of the next page move up to this one. A user who
 * opened the next page would never see those. In that case this reloads the current page and returns true.
 */
export function stayForMovedRows(list: GroupList): boolean {
  const areLeaving = list.query.filter.status !== 'all' && list.ids.some((id) => changingIds.value.has(id));
  if (!areLeaving && !list.hasGaps) return false;
  // Pending changes reload the list once they are done.
  if (areLeaving) list.clear();
  else list.clearAndLoad();
  showToast('Errors from the next page have moved up to this one.');
  return true;
}
