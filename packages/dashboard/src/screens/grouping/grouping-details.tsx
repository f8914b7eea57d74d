import type { GroupDetails, MergedGroup, Page, SimilarGroup } from '@service/protocol';
import { get } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loaded } from '../../components/loaded.tsx';
import { ListedGroup } from './listed-group.tsx';
import { unmergeGroups } from './merge-groups.ts';
import { SimilarErrors } from './similar-groups.tsx';

/** Names of the grouping rules. A newer server may have others. */
const ruleNames: Record<string, string> = {
  custom: 'the fingerprint that the app has set',
  kind: 'the kind of error',
  recursion: 'the functions that call each other',
  source: 'the place in the source, and what went wrong there',
  file: 'the file, and what went wrong there',
  bundle: 'what went wrong, and the function in the bundle',
  library: 'what went wrong, and the place in a library',
  text: 'the message',
};

interface GroupingProps {
  group: GroupDetails;
  similar: readonly SimilarGroup[];
}

/** Explains the grouping, with the inputs of the fingerprint. Lists similar groups, and those merged into this one. */
export function GroupingDetails({ group, similar }: GroupingProps) {
  const { rule, components, version } = group.grouping;
  return (
    <>
      <p>
        {group.merged > 0 ? 'All reports but the merged ones' : 'These reports'}{' '}
        {rule === 'custom'
          ? 'have the fingerprint that the app has set, from the texts below.'
          : 'have the same fingerprint, from the inputs below. Line, column, URL and release are not among them.'}
      </p>
      <p class="soft">Grouped by {ruleNames[rule] ?? rule}:</p>
      <ol class="components">
        {components.map((component, index) => (
          <li key={index} dir="auto">
            {component}
          </li>
        ))}
      </ol>
      <p class="soft">
        Fingerprint <code>{group.fingerprint}</code>, version {version}
      </p>
      {similar[0] && <SimilarErrors group={group} similar={similar} />}
      {group.merged > 0 && <MergedGroups group={group} />}
    </>
  );
}

function MergedGroups({ group: { error_group_id: id, merged, count } }: { group: GroupDetails }) {
  // A page has all groups that can be merged into one. The count changes with each report.
  const load = useLoad<Page<MergedGroup>>(`/errors/${id}/merged?size=100#${merged} ${count}`, () =>
    get(`/errors/${id}/merged?size=100`),
  );
  return (
    <>
      <h3>Merged errors</h3>
      <p class="soft">Reports of these errors count here, too, until you unmerge them.</p>
      <Loaded load={load}>
        {({ items }) => (
          <ul class="reports">
            {items.map((part) => (
              <ListedGroup
                key={part.error_group_id}
                group={part}
                isMerged
                action="Unmerge"
                run={() => unmergeGroups(id, [part.error_group_id])}
              />
            ))}
          </ul>
        )}
      </Loaded>
    </>
  );
}
