import type { ErrorGroup } from '@service/protocol';
import { countOf } from '../../format/count.ts';
import { canWrite } from '../../session/permissions.ts';

interface ListedGroupProps {
  group: ErrorGroup;
  /** Set if the group is merged: its address leads to the group that it is merged into. */
  isMerged?: true;
  reason?: string | undefined;
  action: string;
  run(): void;
}

/** A group in a list, with what can be done with it. */
export function ListedGroup({ group, isMerged, reason, action, run }: ListedGroupProps) {
  const { error_group_id: id, type, message, count, culprit } = group;
  return (
    <li>
      <span dir="auto">
        {isMerged ? `#${id}` : <a href={`/groups/${id}`}>#{id}</a>} {type && <b>{type}</b>} {message}
      </span>
      <span class="soft">{[reason, countOf(count, 'report'), culprit].filter(Boolean).join(' · ')}</span>
      {canWrite() && (
        <button class="small" aria-label={`${action} #${id}`} onClick={run}>
          {action}
        </button>
      )}
    </li>
  );
}
