import type { GroupDetails, Page, ReportSummary } from '@service/protocol';
import { useLoad } from '../../api/use-load.ts';
import { Loaded } from '../../components/loaded.tsx';
import { currentPage, Pager } from '../../components/pager.tsx';
import { DateTime } from '../../components/time.tsx';
import { countOf, formatNumber } from '../../format/count.ts';

const reportPageSize = 10;

/** The stored reports of a group. Those of a group with merged ones have different messages. */
export function ReportList({ group, current }: { group: GroupDetails; current: number | null }) {
  const path = `/groups/${group.error_group_id}/reports`;
  // Each link contains the page, so that the list stays open while the user goes through the reports.
  const page = currentPage('reports');
  const load = useLoad<Page<ReportSummary>>(
    `/errors/${group.error_group_id}/reports?size=${reportPageSize}&page=${page}`,
  );
  return (
    <Loaded load={load}>
      {({ items, pages, total }) => (
        <>
          <p class="soft">
            Stored: {formatNumber(total)} of {countOf(group.count, 'report')}
          </p>
          <ul class="reports">
            {items.map(({ id, received_at, message, release, environment, user, url }) => (
              <li key={id}>
                <a href={`${path}/${id}?reports=${page}`} aria-current={id === current && 'page'}>
                  <DateTime at={received_at} time="medium" />
                </a>
                <span dir="auto">
                  {[group.merged > 0 && message.slice(0, 200), release, environment, user?.id, url]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
              </li>
            ))}
          </ul>
          <Pager pages={pages} paramName="reports" />
        </>
      )}
    </Loaded>
  );
}
