import type { GroupDetails } from '@service/protocol';
import { call } from '../../api/call.ts';
import { confirmAction } from '../../components/confirmation-dialog.tsx';
import { countOf } from '../../format/count.ts';
import { broadcast } from '../../live/live-events.ts';
import { go } from '../../router/address.ts';
import { focusHeadingIfLost } from '../../router/focus-heading.ts';
import { listPath } from '../groups/current-list.ts';

/** Deletes an error and returns to the list, after a confirmation. */
export function deleteGroup({ error_group_id: id, project_id, merged }: GroupDetails): void {
  const mergedErrors = merged ? ` and ${countOf(merged, 'merged error')}` : '';
  confirmAction({
    title: `Delete #${id}?`,
    text: `Its reports${mergedErrors} are deleted. This can’t be undone.`,
    action: 'Delete',
    done: `Deleted #${id}.`,
    async run() {
      // The screen of the error would load it again when the event of the deletion arrives, and get a 404. Back must
      // not lead to an error that no longer exists.
      go(listPath(), { replace: true });
      await call('DELETE', `/errors/${id}`);
      broadcast({ type: 'group.deleted', project_id, error_group_id: id });
      // The row of the error had the focus.
      focusHeadingIfLost();
    },
  });
}
