import { useSignal } from '@preact/signals';
import type { GroupDetails, Page, ReportSummary } from '@service/protocol';
import { get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { Loaded } from '../parts/loaded.tsx';
import { At } from '../parts/time.tsx';
import { address } from '../router/address.ts';

const pageSize = 10;

/** The other kept reports of a group. */
export function Reports({ group, current }: { group: GroupDetails; current: number | null }) {
  const isOpen = useSignal(address.value.hash === '#reports');
  return (
    <details
      class="fold"
      id="reports"
      open={isOpen.value}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>Other reports</summary>
      {isOpen.value && <ReportList group={group} current={current} />}
    </details>
  );
}

function ReportList({ group, current }: { group: GroupDetails; current: number | null }) {
  const page = useSignal(1);
  const path = `/errors/${group.error_group_id}/reports?size=${pageSize}&page=${page.value}`;
  const load = useLoad(path, () => get<Page<ReportSummary>>(path));
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
                <a
                  href={`/groups/${group.error_group_id}/reports/${report.id}`}
                  aria-current={report.id === current ? 'true' : undefined}
                >
                  <At at={report.received_at} withSeconds />
                </a>
                <span dir="auto">
                  {[report.release, report.environment, report.user?.id, report.url].filter(Boolean).join(' · ')}
                </span>
              </li>
            ))}
          </ul>
          {pages > 1 && (
            <div class="pages">
              <button type="button" class="small" disabled={page.value === 1} onClick={() => page.value--}>
                Newer
              </button>
              <span>
                Page {page.value} of {pages}
              </span>
              <button type="button" class="small" disabled={page.value >= pages} onClick={() => page.value++}>
                Older
              </button>
            </div>
          )}
        </>
      )}
    </Loaded>
  );
}
