import type { GroupDetails } from '@service/protocol';
import { Sparkline } from '../../components/charts.tsx';
import { Lines } from '../../components/definition-list.tsx';
import { sayNumber } from '../../components/format-count.ts';
import { Ago } from '../../components/time.tsx';
import { writeFilter } from '../groups/group-filter.ts';

/** Since when, how often, how many people, which releases. */
export function Facts({ group }: { group: GroupDetails }) {
  const { count, users, first_seen, last_seen, first_release, last_release, reopened_at, reopen_count, daily } = group;
  return (
    <section class="facts" aria-label="Facts">
      <Lines
        class="counts"
        of={[
          ['Reports', sayNumber(count)],
          ['Users', users > 0 ? sayNumber(users) : '–'],
          ['Last seen', <Ago key="last" at={last_seen} suffix=" ago" />],
          ['First seen', <Ago key="first" at={first_seen} suffix=" ago" />],
        ]}
      />
      <Sparkline wide counts={daily} label={`Reports a day: ${daily.join(', ')}`} />
      <p class="axis">
        <span>{daily.length} days</span>
        <span>today (UTC)</span>
      </p>
      <Lines
        of={[
          ['New in', first_release && <Release name={first_release} />],
          ['Last in', last_release && last_release !== first_release && <Release name={last_release} />],
          [
            'Came back',
            reopened_at && <Ago at={reopened_at} suffix={reopen_count > 1 ? ` ago, ${reopen_count}×` : ' ago'} />,
          ],
        ]}
      />
    </section>
  );
}

function Release({ name }: { name: string }) {
  const filter = { status: 'all', environment: null, release: name, words: '' } as const;
  return <a href={`/?q=${encodeURIComponent(writeFilter(filter))}`}>{name}</a>;
}
