import type { GroupDetails } from '@service/protocol';
import { call } from '../../api/call.ts';
import { confirmAction } from '../../components/confirmation-dialog.tsx';
import { countOf } from '../../format/count.ts';
import { broadcast } from '../../live/live-events.ts';
import { go } from '../../router/address.ts';
import { listPath } from '../groups/current-list.ts';

/** The error that this page deletes. Its screen must not load it again when the event of the deletion arrives: a 404. */
export let deletingId = 0;

/** Deletes an error and returns to the list, after a confirmation. */
export function deleteGroup({ error_group_id: id, project_id, merged }: GroupDetails): void {
  const merges = merged ? ` and ${countOf(merged, 'error')} merged into it` : '';
  confirmAction({
    title: `Delete #${id}?`,
    text: `Its reports${merges} are deleted. If it occurs again, it is a new error. This can’t be undone.`,
    action: 'Delete',
    done: `Deleted #${id}.`,
    async run() {
      deletingId = id;
      await call('DELETE', `/errors/${id}`).finally(() => (deletingId = 0));
      // Back must not lead to an error that no longer exists.
      go(listPath(), { replace: true });
      broadcast({ type: 'group.deleted', project_id, error_group_id: id });
    },
  });
}
