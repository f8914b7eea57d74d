import type { GroupDetails, SimilarGroup } from '@service/protocol';
import { countOf } from '../../format/count.ts';
import { canWrite } from '../../session/session.ts';
import { mergeGroups } from './merge-groups.ts';

/** What both errors have in common. A newer server may know other reasons. */
const reasonTexts: Record<string, string> = {
  source_map: 'the same error with the current source maps',
  fault: 'the same fault, elsewhere in the same file or function',
  location: 'a similar message at the same location',
};

/** Suggests errors that may be the same bug. Merging them takes one click, which the message after it can undo. */
export function SimilarErrors({ group, similar }: { group: GroupDetails; similar: readonly SimilarGroup[] }) {
  return (
    <>
      <h3>Maybe the same error</h3>
      <ul class="reports">
        {similar.map((other) => (
          <li key={other.error_group_id}>
            <span dir="auto">
              Looks like <a href={`/groups/${other.error_group_id}`}>#{other.error_group_id}</a>{' '}
              {other.type && <b>{other.type}</b>} {other.message}
            </span>
            <span class="soft">
              {[reasonTexts[other.reason], countOf(other.count, 'report'), other.culprit].filter(Boolean).join(' · ')}
            </span>
            {canWrite() && (
              <button
                class="small"
                aria-label={`Merge with #${other.error_group_id}`}
                onClick={() => mergeGroups([group, other])}
              >
                Merge
              </button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
