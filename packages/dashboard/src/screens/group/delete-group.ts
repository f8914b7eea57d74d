import { call } from '../../api/call.ts';
import { confirmAction } from '../../components/confirmation-dialog.tsx';
import { broadcast } from '../../live/live-events.ts';
import { go } from '../../router/address.ts';
import { focusHeadingIfLost } from '../../router/focus-heading.ts';
import { listPath } from '../groups/current-list.ts';

/** Deletes an error and returns to the list, after a confirmation. */
export function deleteGroup(id: number, project_id: number): void {
  confirmAction({
    title: `Delete #${id}?`,
    text: 'Its reports are deleted. If it occurs again, it is a new error. This can’t be undone.',
    action: 'Delete',
    done: `Deleted #${id}.`,
    async run() {
      // The screen of the error would load it again when the event of the deletion arrives, and get a 404.
      go(listPath());
      await call('DELETE', `/errors/${id}`);
      broadcast({ type: 'group.deleted', project_id, error_group_id: id });
      // The row of the error had the focus.
      focusHeadingIfLost();
    },
  });
}
