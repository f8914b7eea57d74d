import type { GroupDetails, SimilarGroup } from '@service/protocol';
import { ListedGroup } from './listed-group.tsx';
import { mergeGroups } from './merge-groups.ts';

/** Suggests errors that may be the same bug. Merging them takes one click, which the message after it can undo. */
export function SimilarErrors({ group, similar }: { group: GroupDetails; similar: readonly SimilarGroup[] }) {
  return (
    <>
      <h3>Maybe the same error</h3>
      <ul class="reports">
        {similar.map((other) => (
          <ListedGroup
            key={other.error_group_id}
            group={other}
            reason={`Similar by ${other.reason.replace('_', ' ')}`}
            action="Merge"
            run={() => mergeGroups([group, other])}
          />
        ))}
      </ul>
    </>
  );
}
