import type { GroupDetails, Page, ReportSummary } from '@service/protocol';
import { useLoad } from '../../api/use-load.ts';
import { Fold } from '../../components/disclosure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { pageOf, Pager } from '../../components/pager.tsx';
import { At } from '../../components/time.tsx';
import { param } from '../../router/address.ts';

const pageSize = 10;

/** The other kept reports of a group. */
export function Reports({ group, current }: { group: GroupDetails; current: number | null }) {
  return (
    <Fold title="Other reports" id="reports" isOpen={param('reports') !== ''}>
      <ReportList group={group} current={current} />
    </Fold>
  );
}

function ReportList({ group, current }: { group: GroupDetails; current: number | null }) {
  const path = `/groups/${group.error_group_id}/reports`;
  const load = useLoad<Page<ReportSummary>>(
    `/errors/${group.error_group_id}/reports?size=${pageSize}&page=${pageOf('reports')}`,
  );
  return (
    <Loaded of={load}>
      {({ items, pages, total }) => (
        <>
          <p class="soft">
            {total.toLocaleString()} of {group.count.toLocaleString()} are kept.
          </p>
          <ul class="reports">
            {items.map((report) => (
              <li key={report.id}>
                <a href={`${path}/${report.id}`} aria-current={report.id === current && 'page'}>
                  <At at={report.received_at} time="medium" />
                </a>
                <span dir="auto">
                  {[report.release, report.environment, report.user?.id, report.url].filter(Boolean).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
          <Pager pages={pages} name="reports" />
        </>
      )}
    </Loaded>
  );
}
