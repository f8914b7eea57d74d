import { say } from '../../components/toast.tsx';
import type { GroupList } from './group-list.ts';
import { settling } from './set-status.ts';

/**
 * Rows that have left the list, or are about to, let those of the next page move up to this one. Who goes on then reads
 * this page again first, or would never see them. Returns whether that is so.
 */
export function stayForMoved(list: GroupList): boolean {
  const isLeaving = list.query.filter.status !== 'all' && list.ids.some((id) => settling.value.has(id));
  if (!isLeaving && !list.hasGaps) return false;
  // What is still being changed is read once it is settled: see the screen.
  if (isLeaving) list.clear();
  else list.readAgain();
  say('Errors of the next page have moved up to this one.');
  return true;
}
