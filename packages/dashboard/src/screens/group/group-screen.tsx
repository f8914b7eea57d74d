import { useLayoutEffect, useState } from 'preact/hooks';
import { useLoad } from '../../api/use-load.ts';
import { listPath, rememberGroup, shownIds } from '../groups/current-list.ts';
import { setStatus } from '../groups/set-status.ts';
import { useKeys } from '../../shortcuts/use-shortcuts.ts';
import { listen } from '../../live/live.ts';
import { Loaded } from '../../components/loaded.tsx';
import { Prose } from '../../components/prose.tsx';
import { go } from '../../router/address.ts';
import { mayWrite } from '../../session/session.ts';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { Explanation } from './explanation.tsx';
import { FailingLine } from './failing-line.tsx';
import { Facts } from './statistics.tsx';
import { GroupHead } from './group-header.tsx';
import { Metadata, RawReport, WhyGrouped } from './report-details.tsx';
import { readGroup, type Shown } from './load-group.ts';
import { Reports } from './reports.tsx';
import { Stack } from './stack-trace.tsx';
import { Tags } from './tags.tsx';

/** A page that is being read is not read anew more often than this, however fast reports come in. */
const refreshMs = 1_500;

/** One error: what to know in the first half minute stands on top, in the order in which it is asked. */
export function GroupScreen({ groupId, reportId }: { groupId: number; reportId: number | null }) {
  const load = useLoad(`group ${groupId} ${reportId}`, () => readGroup(groupId, reportId));
  /** The report that is read stays, however many come after it, until a newer one is asked for. */
  const [held, hold] = useState<Shown | null>(null);
  const { value: fresh } = load;
  useRefresh(groupId, fresh?.group.project_id, load.reload);
  useLayoutEffect(() => {
    rememberGroup(groupId);
    if (fresh) document.title = `${fresh.group.type ?? 'Message'}: ${fresh.group.message.slice(0, 80)}`;
  }, [!fresh]);
  if (fresh && fresh !== held && (!held || held.report?.id === fresh.report?.id)) hold(fresh);

  const step = (by: number) => () => {
    const ids = shownIds();
    const next = ids[ids.indexOf(groupId) + by];
    if (ids.includes(groupId) && next !== undefined) go(`/groups/${next}`);
  };
  useKeys({
    j: step(1),
    k: step(-1),
    u: () => go(listPath()),
    r: () => fresh && mayWrite() && setStatus([groupId], fresh.group.status === 'active' ? 'resolved' : 'active'),
    c() {
      const button = document.getElementById('copy');
      // When the choices close, the focus returns to where it was when they opened.
      button?.focus();
      button?.click();
    },
  });

  return (
    <main class="group">
      <Loaded of={load}>
        {({ group, report: newest }) => {
          const { report = null, resolution = null } = held ?? {};
          const newer = report?.id === newest?.id ? null : () => hold(fresh ?? null);
          return (
            <>
              <GroupHead shown={{ group, report, resolution }} isLatest={reportId === null} newer={newer} />
              <div class="columns">
                <div class="story">
                  {report ? (
                    <>
                      <FailingLine report={report} resolution={resolution} />
                      <Stack report={report} resolution={resolution} group={group} />
                      <Breadcrumbs
                        key={report.id}
                        breadcrumbs={report.breadcrumbs}
                        at={report.timestamp ?? report.received_at}
                      />
                      <Explanation group={group} />
                      <Metadata report={report} />
                    </>
                  ) : (
                    <Prose id="no-report" />
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
        }}
      </Loaded>
    </main>
  );
}

/** Reads the page anew when something has happened to the group, or to the maps of its project. */
function useRefresh(groupId: number, projectId: number | undefined, reload: () => void): void {
  useLayoutEffect(() => {
    let timer = 0;
    const deaf = listen((event) => {
      const isMine =
        ('group' in event && event.group.error_group_id === groupId) ||
        ('error_group_id' in event && event.error_group_id === groupId) ||
        (event.type === 'project.updated' && event.project_id === projectId);
      if (!isMine) return;
      // A change that somebody has made shows at once, the next of many reports after a while.
      const isOneOfMany = event.type === 'group.updated';
      if (isOneOfMany && timer) return;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = 0;
          reload();
        },
        isOneOfMany ? refreshMs : 0,
      );
    });
    return () => {
      clearTimeout(timer);
      deaf();
    };
  }, [groupId, projectId]);
}
