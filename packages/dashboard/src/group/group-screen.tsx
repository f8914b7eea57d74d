import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { GroupDetails, ReportDetails, Resolution } from '@service/protocol';
import { get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { listPath, selectShown, shownIds } from '../groups/groups-screen.tsx';
import { setStatus } from '../groups/set-status.ts';
import { useKeys } from '../keys/keys.ts';
import { listen } from '../live/live.ts';
import { Loaded } from '../parts/loaded.tsx';
import { go } from '../router/address.ts';
import { mayWrite } from '../session/session.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { Explanation } from './explanation.tsx';
import { FailingLine } from './failing-line.tsx';
import { Facts } from './facts.tsx';
import { GroupHead } from './group-head.tsx';
import { Metadata, RawReport, WhyGrouped } from './details.tsx';
import { Reports } from './reports.tsx';
import { Stack } from './stack.tsx';
import { Tags } from './tags.tsx';

/** A page that is being read is not read anew more often than this, however fast reports come in. */
const refreshMs = 1_500;

export interface Shown {
  group: GroupDetails;
  report: ReportDetails | null;
  resolution: Resolution | null;
}

/** One error: what to know in the first half minute stands on top, in the order in which it is asked. */
export function GroupScreen({ groupId, reportId }: { groupId: number; reportId: number | null }) {
  const load = useLoad(`group ${groupId} ${reportId}`, () => readGroup(groupId, reportId));
  /** The report that is read stays, however many come after it. */
  const kept = useRef<{ key: string; shown: Shown } | null>(null);
  const wantsNewest = useSignal(false);
  useRefresh(groupId, load.value?.group.project_id, load.reload);
  useEffect(() => selectShown(groupId), [groupId]);

  const step = (by: number) => () => {
    const ids = shownIds();
    const next = ids[ids.indexOf(groupId) + by];
    if (ids.includes(groupId) && next !== undefined) go(`/groups/${next}`);
  };
  useKeys({
    j: step(1),
    k: step(-1),
    u: () => go(listPath()),
    r: () => {
      const group = load.value?.group;
      if (group && mayWrite()) void setStatus([groupId], group.status === 'active' ? 'resolved' : 'active');
    },
    c: () => {
      const menu = document.querySelector<HTMLDetailsElement>('#copy');
      if (!menu) return;
      menu.open = true;
      menu.querySelector<HTMLElement>('.choices button')?.focus();
    },
  });

  return (
    <main class="group">
      <Loaded of={load}>
        {(fresh) => {
          const key = `${groupId} ${reportId}`;
          const shown = hold(fresh, kept, key, wantsNewest.value);
          const hasNewer = shown.report?.id !== fresh.report?.id;
          return (
            <View
              key={key}
              shown={{ ...shown, group: fresh.group }}
              isLatest={reportId === null}
              newer={
                hasNewer
                  ? () => {
                      kept.current = null;
                      wantsNewest.value = !wantsNewest.value;
                    }
                  : null
              }
            />
          );
        }}
      </Loaded>
    </main>
  );
}

function View({ shown, isLatest, newer }: { shown: Shown; isLatest: boolean; newer: (() => void) | null }) {
  const { group, report, resolution } = shown;
  useEffect(() => {
    document.title = `${group.type ?? 'Message'}: ${group.message.slice(0, 80)}`;
  }, [group.error_group_id]);
  return (
    <>
      <GroupHead shown={shown} isLatest={isLatest} newer={newer} />
      <div class="columns">
        <div class="story">
          {report ? (
            <>
              <FailingLine report={report} />
              <Breadcrumbs breadcrumbs={report.breadcrumbs} at={report.timestamp ?? report.received_at} />
              <Explanation group={group} />
              <Stack report={report} resolution={resolution} group={group} />
              <Metadata report={report} />
            </>
          ) : (
            <p class="soft">No report of this error is kept any more. Its counts are.</p>
          )}
          <Reports group={group} current={report?.id ?? null} />
          {report && <RawReport report={report} />}
          <WhyGrouped group={group} />
        </div>
        <aside>
          <Facts group={group} />
          <Tags group={group} />
        </aside>
      </div>
    </>
  );
}

async function readGroup(groupId: number, reportId: number | null): Promise<Shown> {
  const path = `/errors/${groupId}`;
  const [group, report] = await Promise.all([
    get<GroupDetails>(path),
    reportId === null ? null : get<ReportDetails>(`${path}/reports/${reportId}`),
  ]);
  const shown = report ?? group.latest_report;
  const resolution = needsVerdict(group.latest_report, shown) ? await get<Resolution>(`${path}/resolution`) : null;
  return { group, report: shown, resolution: resolution?.report_id === shown?.id ? resolution : null };
}

/** The verdicts are of the latest report; one whose frames are all readable needs none. */
function needsVerdict(latest: ReportDetails | null, shown: ReportDetails | null): boolean {
  return latest !== null && latest.id === shown?.id && latest.frames.some(({ resolved }) => !resolved);
}

/** What is on the screen: a newer report waits until it is asked for, but the same one is shown as it reads now. */
function hold(
  fresh: Shown,
  kept: { current: { key: string; shown: Shown } | null },
  key: string,
  _asked: boolean,
): Shown {
  const before = kept.current?.key === key ? kept.current.shown : null;
  if (!before || before.report?.id === fresh.report?.id) {
    kept.current = { key, shown: fresh };
    return fresh;
  }
  return before;
}

/** Reads the page anew when something has happened to the group, or to the maps of its project. */
function useRefresh(groupId: number, projectId: number | undefined, reload: () => void): void {
  useEffect(() => {
    let timer = 0;
    const deaf = listen((event) => {
      const isMine =
        ('group' in event && event.group.error_group_id === groupId) ||
        ('error_group_id' in event && event.error_group_id === groupId) ||
        (event.type === 'project.updated' && event.project_id === projectId);
      if (!isMine) return;
      // A change that somebody has made shows at once, the next of many reports after a while.
      if (event.type !== 'group.updated' && event.type !== 'group.deleted') {
        clearTimeout(timer);
        timer = 0;
        reload();
      } else {
        timer ||= setTimeout(() => {
          timer = 0;
          reload();
        }, refreshMs);
      }
    });
    return () => {
      clearTimeout(timer);
      deaf();
    };
  }, [groupId, projectId]);
}
