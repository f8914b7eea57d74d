import type { GroupDetails } from '@service/protocol';
import { Sparkline } from '../../components/charts.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { TimeAgo } from '../../components/time.tsx';
import { formatNumber } from '../../format/count.ts';
import { filteredListPath } from '../filter/group-filter.ts';

/** Counts, times and releases of an error. */
export function Statistics({ group }: { group: GroupDetails }) {
  const { count, users, first_seen, last_seen, first_release, last_release, reopened_at, reopen_count, daily } = group;
  const { project_id } = group;
  return (
    <section class="facts" aria-label="Statistics">
      <DefinitionList
        class="counts"
        entries={[
          ['Reports', formatNumber(count)],
          ['Users', users > 0 ? formatNumber(users) : '–'],
          ['Last seen', <TimeAgo key="last" at={last_seen} suffix=" ago" />],
          ['First seen', <TimeAgo key="first" at={first_seen} suffix=" ago" />],
        ]}
      />
      <Sparkline wide counts={daily} label={`Reports per day: ${daily.join(', ')}`} />
      <p class="axis">
        <span>{daily.length} days</span>
        <span>today (UTC)</span>
      </p>
      <DefinitionList
        entries={[
          ['First release', first_release && <ReleaseLink projectId={project_id} name={first_release} />],
          [
            'Last release',
            last_release && last_release !== first_release && (
              <ReleaseLink projectId={project_id} name={last_release} />
            ),
          ],
          [
            'Reopened',
            reopened_at && <TimeAgo at={reopened_at} suffix={reopen_count > 1 ? ` ago, ${reopen_count}×` : ' ago'} />,
          ],
        ]}
      />
    </section>
  );
}

function ReleaseLink({ projectId, name }: { projectId: number; name: string }) {
  return <a href={filteredListPath(projectId, { release: name })}>{name}</a>;
}
