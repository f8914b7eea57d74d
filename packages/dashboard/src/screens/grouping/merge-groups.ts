import type { ErrorGroup } from '@service/protocol';
import { call } from '../../api/call.ts';
import { runWithToast, showToast } from '../../components/toast.tsx';
import { countOf } from '../../format/count.ts';
import { broadcast } from '../../live/live-events.ts';

/** Merges errors into the one with the most reports, and then offers to undo it. */
export async function mergeGroups(groups: readonly ErrorGroup[]): Promise<void> {
  const [target, ...others] = groups.toSorted((a, b) => b.count - a.count).map(({ error_group_id }) => error_group_id);
  if (target !== undefined) await mergeInto(target, others);
}

/** Merges errors into another one, and then offers to undo it. */
function mergeInto(target: number, ids: readonly number[]): Promise<void> {
  return runWithToast(async () => {
    const into = await call<ErrorGroup>('POST', `/errors/${target}/merge`, { group_ids: ids });
    // The stream also sends these events, but it may be disconnected.
    for (const error_group_id of ids)
      broadcast({ type: 'group.merged', project_id: into.project_id, error_group_id, into });
    showToast(`Merged ${countOf(ids.length, 'error')} into #${target}.`, { undo: () => unmergeGroups(target, ids) });
  });
}

/** Takes merged errors out of another one, and then offers to undo it. */
export function unmergeGroups(target: number, ids: readonly number[]): Promise<void> {
  return runWithToast(async () => {
    const group = await call<ErrorGroup>('POST', `/errors/${target}/unmerge`, { group_ids: ids });
    broadcast({ type: 'group.unmerged', project_id: group.project_id, group });
    showToast(`Unmerged ${countOf(ids.length, 'error')}.`, { undo: () => mergeInto(target, ids) });
  });
}
