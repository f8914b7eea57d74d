import { DateTime } from '../../components/time.tsx';
import { projectName } from '../../session/projects.ts';
import { canWrite } from '../../session/permissions.ts';
import { listPath } from '../groups/current-list.ts';
import { changingIds, setStatus } from '../groups/set-status.ts';
import { statusBadge } from '../groups/status.ts';
import { CopyMenu } from './copy-menu.tsx';
import { deleteGroup } from './delete-group.ts';
import { kindOf } from './kind-of.ts';
import type { LoadedGroup } from './load-group.ts';
import { Message } from './message.tsx';

interface GroupHeaderProps {
  loaded: LoadedGroup;
  /** True if the address is that of the error, not of one of its reports. */
  isLatest: boolean;
  /** Shows a newer report, if one has arrived. */
  showNewer: (() => unknown) | null;
}

export function GroupHeader({ loaded, isLatest, showNewer }: GroupHeaderProps) {
  const { group, report } = loaded;
  const { type, message, culprit, status, level, error_group_id: id } = group;
  const isActive = status === 'active';
  const badge = statusBadge(group);
  return (
    <header class="group-head">
      <nav class="parents" aria-label="Parent pages">
        <a href={listPath()}>Errors</a>
        <a href={`/?project=${group.project_id}`}>{projectName(group.project_id)}</a>
        <span>#{id}</span>
      </nav>
      <div class="title">
        <h1 tabIndex={-1} dir="auto">
          {type ?? kindOf(group)}
        </h1>
        {badge && <i class={`badge ${badge}`}>{badge}</i>}
        {level !== 'error' && <i class={`badge ${level}`}>{level}</i>}
      </div>
      <div class="actions">
        {canWrite() && (
          <button
            class={isActive ? 'primary' : ''}
            aria-keyshortcuts="r"
            aria-busy={changingIds.value.has(id)}
            onClick={() => setStatus([id], isActive ? 'resolved' : 'active')}
          >
            {isActive ? 'Resolve' : 'Reopen'} <kbd aria-hidden="true">r</kbd>
          </button>
        )}
        <CopyMenu loaded={loaded} />
        {canWrite() && <button onClick={() => deleteGroup(group)}>Delete</button>}
      </div>
      {/* The message of a group is truncated. That of a report is not. */}
      <Message text={report?.message ?? message} />
      {culprit && (
        <p class="culprit" dir="auto">
          {culprit}
        </p>
      )}
      <p class="shown">
        {report && (
          <span>
            {isLatest && !showNewer ? 'Latest report' : `Report #${report.id}`},{' '}
            <DateTime at={report.received_at} time="medium" />
          </span>
        )}
        {!isLatest && <a href={`/groups/${id}`}>View latest report</a>}
        {isLatest && showNewer && (
          <button class="pill small" onClick={showNewer}>
            Show newer report
          </button>
        )}
      </p>
    </header>
  );
}
