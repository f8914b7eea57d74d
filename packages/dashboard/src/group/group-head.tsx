import { setStatus, settling } from '../groups/set-status.ts';
import { standingOf } from '../groups/standing.ts';
import { listPath, shownIds } from '../groups/groups-screen.tsx';
import { copyAnd } from '../parts/copy.tsx';
import { Menu } from '../parts/menu.tsx';
import { At } from '../parts/time.tsx';
import { mayWrite } from '../session/session.ts';
import { projectName } from '../session/projects.ts';
import { asIssue, asMarkdown, asPrompt } from '../copy/as-text.ts';
import type { Shown } from './group-screen.tsx';

export function GroupHead({ shown, isLatest, newer }: { shown: Shown; isLatest: boolean; newer: (() => void) | null }) {
  const { group, report } = shown;
  const { type, message, culprit, status, level, error_group_id: id } = group;
  const isActive = status === 'active';
  const standing = standingOf(group);
  return (
    <header class="group-head">
      <nav class="trail" aria-label="Where this is">
        <a href={listPath()}>Errors</a>
        <a href={`/?project=${group.project_id}`}>{projectName(group.project_id)}</a>
        <span>#{id}</span>
        <Neighbours id={id} />
      </nav>
      <div class="title">
        <h1 tabIndex={-1} dir="auto">
          {type ?? (level === 'error' ? 'Error' : 'Message')}
        </h1>
        {standing && <i class={`badge ${standing}`}>{standing}</i>}
        {level !== 'error' && <i class={`badge ${level}`}>{level}</i>}
        <div class="acts">
          {mayWrite() && (
            <button
              type="button"
              class={isActive ? 'primary' : ''}
              aria-keyshortcuts="r"
              aria-busy={settling.value.has(id)}
              onClick={() => setStatus([id], isActive ? 'resolved' : 'active')}
            >
              {isActive ? 'Resolve' : 'Reopen'} <kbd aria-hidden="true">r</kbd>
            </button>
          )}
          <Menu
            id="copy"
            label={
              <>
                Copy <kbd aria-hidden="true">c</kbd>
              </>
            }
          >
            <button type="button" onClick={() => copyAnd('Copied as Markdown.', asMarkdown(shown, location.origin))}>
              As Markdown
            </button>
            <button type="button" onClick={() => copyAnd('Copied as an issue.', asIssue(shown, location.origin))}>
              As an issue
            </button>
            <button type="button" onClick={() => copyAnd('Copied as a prompt.', asPrompt(shown, location.origin))}>
              As a prompt for a coding agent
            </button>
            <button type="button" onClick={() => copyAnd('The link is copied.', location.href)}>
              Link
            </button>
          </Menu>
        </div>
      </div>
      {/* Of a long message, lists have the beginning only. */}
      <p class="message" dir="auto">
        {report?.message ?? message}
      </p>
      {culprit && (
        <p class="culprit" dir="auto">
          {culprit}
        </p>
      )}
      <p class="which">
        {report && (
          <>
            {isLatest && !newer ? 'Latest report' : `Report #${report.id}`}, <At at={report.received_at} withSeconds />
          </>
        )}
        {!isLatest && <a href={`/groups/${id}`}>Latest report</a>}
        {isLatest && newer && (
          <button type="button" class="pill" onClick={newer}>
            Newer report
          </button>
        )}
      </p>
    </header>
  );
}

/** The groups before and behind this one, in the list from which the reader has come. */
function Neighbours({ id }: { id: number }) {
  const ids = shownIds();
  const at = ids.indexOf(id);
  if (at < 0) return null;
  const before = ids[at - 1];
  const after = ids[at + 1];
  return (
    <span class="neighbours">
      {before !== undefined && (
        <a href={`/groups/${before}`} aria-keyshortcuts="k">
          Previous
        </a>
      )}
      {after !== undefined && (
        <a href={`/groups/${after}`} aria-keyshortcuts="j">
          Next
        </a>
      )}
    </span>
  );
}
