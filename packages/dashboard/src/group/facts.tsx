import type { GroupDetails } from '@service/protocol';
import { Sparkline } from '../parts/charts.tsx';
import { Ago } from '../parts/time.tsx';
import { filterPath } from '../groups/groups-screen.tsx';
import { readFilter } from '../groups/group-filter.ts';

/** Since when, how often, how many people, which releases. */
export function Facts({ group }: { group: GroupDetails }) {
  const { count, users, first_seen, last_seen, first_release, last_release, reopened_at, reopen_count, daily } = group;
  return (
    <section class="facts" aria-label="Facts">
      <dl>
        <div>
          <dt>Reports</dt>
          <dd class="big">{count.toLocaleString()}</dd>
        </div>
        <div>
          <dt>Users</dt>
          <dd class="big">{users > 0 ? users.toLocaleString() : '–'}</dd>
        </div>
        <div>
          <dt>Last seen</dt>
          <dd>
            <Ago at={last_seen} suffix=" ago" />
          </dd>
        </div>
        <div>
          <dt>First seen</dt>
          <dd>
            <Ago at={first_seen} suffix=" ago" />
          </dd>
        </div>
      </dl>
      <Sparkline wide counts={daily} label={`Reports a day, for ${daily.length} days: ${daily.join(', ')}`} />
      <p class="axis">
        <span>{daily.length} days</span>
        <span>today</span>
      </p>
      <dl class="lines">
        {first_release !== null && (
          <div>
            <dt>New in</dt>
            <dd>
              <Release name={first_release} />
            </dd>
          </div>
        )}
        {last_release !== null && last_release !== first_release && (
          <div>
            <dt>Last in</dt>
            <dd>
              <Release name={last_release} />
            </dd>
          </div>
        )}
        {reopened_at !== null && (
          <div>
            <dt>Came back</dt>
            <dd>
              <Ago at={reopened_at} suffix=" ago" />
              {reopen_count > 1 && `, ${reopen_count} times`}
            </dd>
          </div>
        )}
      </dl>
    </section>
  );
}

function Release({ name }: { name: string }) {
  return (
    <a href={filterPath({ ...readFilter(''), release: name }, {}).replace(/^[^?]*/, '/')} dir="auto">
      {name}
    </a>
  );
}
