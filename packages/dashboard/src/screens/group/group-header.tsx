import { setStatus, settling } from '../groups/set-status.ts';
import { standingOf } from '../groups/status.ts';
import { listPath } from '../groups/current-list.ts';
import { copy } from '../../components/copy.tsx';
import { attempt } from '../../components/toast.tsx';
import { At } from '../../components/time.tsx';
import { mayWrite } from '../../session/session.ts';
import { projectName } from '../../session/projects.ts';
import { asIssue, asMarkdown, asPrompt } from './copy-formats.ts';
import { Message } from './message.tsx';
import type { Shown } from './load-group.ts';

export function GroupHead({
  shown,
  isLatest,
  newer,
}: {
  shown: Shown;
  isLatest: boolean;
  newer: (() => unknown) | null;
}) {
  const { group, report } = shown;
  const { type, message, culprit, status, level, error_group_id: id } = group;
  const isActive = status === 'active';
  const isSettling = settling.value.has(id);
  const standing = standingOf(group);
  return (
    <header class="group-head">
      <nav class="trail" aria-label="Where this is">
        <a href={listPath()}>Errors</a>
        <a href={`/?project=${group.project_id}`}>{projectName(group.project_id)}</a>
        <span>#{id}</span>
      </nav>
      <div class="title">
        <h1 tabIndex={-1} dir="auto">
          {type ?? (level === 'error' ? 'Error' : 'Message')}
        </h1>
        {standing && <i class={`badge ${standing}`}>{standing}</i>}
        {level !== 'error' && <i class={`badge ${level}`}>{level}</i>}
      </div>
      <div class="acts">
        {mayWrite() && (
          <button
            class={isActive ? 'primary' : ''}
            aria-keyshortcuts="r"
            aria-busy={isSettling}
            onClick={() => setStatus([id], isActive ? 'resolved' : 'active')}
          >
            {isActive ? 'Resolve' : 'Reopen'} <kbd aria-hidden="true">r</kbd>
          </button>
        )}
        <CopyMenu shown={shown} />
      </div>
      {/* Of a long message, lists have the beginning only. */}
      <Message text={report?.message ?? message} />
      {culprit && (
        <p class="culprit" dir="auto">
          {culprit}
        </p>
      )}
      <p class="which">
        {report && (
          <span>
            {isLatest && !newer ? 'Latest report' : `Report #${report.id}`},{' '}
            <At at={report.received_at} time="medium" />
          </span>
        )}
        {!isLatest && <a href={`/groups/${id}`}>Latest report</a>}
        {isLatest && newer && (
          <button class="pill" onClick={newer}>
            Newer report
          </button>
        )}
      </p>
    </header>
  );
}

/** The error, to be taken elsewhere. */
function CopyMenu({ shown }: { shown: Shown }) {
  const ways: [label: string, write: typeof asMarkdown][] = [
    ['As Markdown', asMarkdown],
    ['As an issue', asIssue],
    ['As a prompt for a coding agent', asPrompt],
    ['Link', () => location.href],
  ];
  return (
    <>
      <button id="copy" popovertarget="ways" aria-keyshortcuts="c">
        Copy <kbd aria-hidden="true">c</kbd>
      </button>
      <div
        id="ways"
        popover="auto"
        class="choices"
        onToggle={(event) => event.newState === 'open' && event.currentTarget.querySelector('button')?.focus()}
      >
        {ways.map(([label, write]) => (
          <button
            key={label}
            popovertarget="ways"
            popovertargetaction="hide"
            onClick={() => attempt(() => copy(write(shown, location.origin)), 'Copied.')}
          >
            {label}
          </button>
        ))}
      </div>
    </>
  );
}
