import type { GroupDetails, Page, ReportSummary } from '@service/protocol';
import { useLoad } from '../../api/use-load.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { currentPage, Pager } from '../../components/pager.tsx';
import { DateTime } from '../../components/time.tsx';
import { countOf, formatNumber } from '../../format/count.ts';
import { param } from '../../router/address.ts';

const reportPageSize = 10;

/** The stored reports of a group. */
export function Reports({ group, current }: { group: GroupDetails; current: number | null }) {
  return (
    <Disclosure title="All reports" id="reports" isOpen={param('reports') !== ''}>
      <ReportList group={group} current={current} />
    </Disclosure>
  );
}

function ReportList({ group, current }: { group: GroupDetails; current: number | null }) {
  const path = `/groups/${group.error_group_id}/reports`;
  const load = useLoad<Page<ReportSummary>>(
    `/errors/${group.error_group_id}/reports?size=${reportPageSize}&page=${currentPage('reports')}`,
  );
  return (
    <Loaded load={load}>
      {({ items, pages, total }) => (
        <>
          <p class="soft">
            Stored: {formatNumber(total)} of {countOf(group.count, 'report')}
          </p>
          <ul class="reports">
            {items.map((report) => (
              <li key={report.id}>
                <a href={`${path}/${report.id}`} aria-current={report.id === current && 'page'}>
                  <DateTime at={report.received_at} time="medium" />
                </a>
                <span dir="auto">
                  {[report.release, report.environment, report.user?.id, report.url].filter(Boolean).join(' · ')}
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
