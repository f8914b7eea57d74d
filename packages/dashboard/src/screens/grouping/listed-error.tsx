import type { ErrorGroup } from '@service/protocol';
import { countOf } from '../../format/count.ts';
import { canWrite } from '../../session/permissions.ts';

interface ListedErrorProps {
  group: ErrorGroup;
  /** Set if the error is merged: its address leads to the error that it is merged into. */
  isMerged?: true;
  reason?: string | undefined;
  action: string;
  run(): void;
}

/** An error in a list, with what can be done with it. */
export function ListedError({ group, isMerged, reason, action, run }: ListedErrorProps) {
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
