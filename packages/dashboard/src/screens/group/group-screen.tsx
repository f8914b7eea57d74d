import type { SimilarGroups } from '@service/protocol';
import { useLayoutEffect, useState } from 'preact/hooks';
import { get } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Disclosure } from '../../components/disclosure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { onEvent } from '../../live/live-events.ts';
import { go } from '../../router/address.ts';
import { useTitle } from '../../router/title.ts';
import { canWrite } from '../../session/permissions.ts';
import { useShortcuts } from '../../shortcuts/use-shortcuts.ts';
import { currentIds, listPath, rememberGroup } from '../groups/current-list.ts';
import { setStatus } from '../groups/set-status.ts';
import { LazyScreen } from '../lazy-screen.tsx';
import { Breadcrumbs } from './breadcrumbs.tsx';
import { Explanation } from './explanation.tsx';
import { FailingLine } from './failing-line.tsx';
import { GroupHeader } from './group-header.tsx';
import { kindOf } from './kind-of.ts';
import { loadGroup, type LoadedGroup } from './load-group.ts';
import { ReportContext } from './report-context.tsx';
import { RawReport } from './raw-report.tsx';
import { Reports } from './reports.tsx';
import { StackTrace } from './stack-trace.tsx';
import { Statistics } from './statistics.tsx';
import { Tags } from './tags.tsx';

/** While reports keep arriving, the group is reloaded at most once in this time. */
const groupReloadPauseMs = 1_500;

/** One error. The sections are in the order in which a developer needs them. */
export function GroupScreen({ groupId, reportId }: { groupId: number; reportId: number | null }) {
  // The shown report stays until the user asks for a newer one.
  const [shown, setShown] = useState<LoadedGroup | null>(null);
  const load = useLoad(`group ${groupId} ${reportId}`, () => loadGroup(groupId, reportId, shown?.report));
  const latest = load.value ?? null;
  if (latest && latest !== shown && (!shown || shown.report?.id === latest.report?.id)) setShown(latest);

  const group = latest?.group;
  useTitle(group ? `${group.type ?? kindOf(group)}: ${group.message.slice(0, 80)}` : `Error #${groupId}`);
  useReloadOnEvents(groupId, group?.project_id, load.reload);
  useLayoutEffect(() => rememberGroup(groupId), []);
  // The id of a merged error leads to the error that it is merged into.
  const foundId = group?.error_group_id ?? groupId;
  useLayoutEffect(() => {
    if (foundId !== groupId) go(`/groups/${foundId}`, { replace: true });
  }, [foundId]);
  const goToNeighbour = (by: number) => () => {
    const ids = currentIds();
    const next = ids[ids.indexOf(groupId) + by];
    if (ids.includes(groupId) && next !== undefined) go(`/groups/${next}`);
  };
  useShortcuts({
    j: goToNeighbour(1),
    k: goToNeighbour(-1),
    u: () => go(listPath()),
    r: () => group && canWrite() && setStatus([groupId], group.status === 'active' ? 'resolved' : 'active'),
    c() {
      const button = document.getElementById('copy');
      // When the menu closes, the focus returns to the element that had it when the menu opened.
      button?.focus();
      button?.click();
    },
  });

  return (
    <main class="group">
      <Loaded load={load}>
        {(newest) => {
          const { report = null, resolution = null } = shown ?? {};
          const loaded = { group: newest.group, report, resolution };
          const showNewer = report?.id === newest.report?.id ? null : () => setShown(newest);
          return (
            <>
              <GroupHeader loaded={loaded} isLatest={reportId === null} showNewer={showNewer} />
              <Sections {...loaded} />
            </>
          );
        }}
      </Loaded>
    </main>
  );
}

function Sections({ group, report, resolution }: LoadedGroup) {
  return (
    <div class="columns">
      <div class="story">
        {report ? (
          <>
            <FailingLine report={report} resolution={resolution} />
            <StackTrace report={report} resolution={resolution} group={group} />
            <Breadcrumbs key={report.id} report={report} />
            <Explanation group={group} />
            <ReportContext report={report} />
          </>
        ) : (
          <p class="soft">The stored reports of this error have expired. Its counts remain.</p>
        )}
        <Reports group={group} current={report?.id ?? null} />
        {report && <RawReport report={report} />}
        <Grouping group={group} />
      </div>
      <aside>
        <Statistics group={group} />
        <Tags group={group} />
      </aside>
    </div>
  );
}

function Grouping({ group }: { group: LoadedGroup['group'] }) {
  const { error_group_id: id, merged } = group;
  // A failure hides the suggestions and nothing else.
  const { value } = useLoad<SimilarGroups>(`/errors/${id}/similar#${merged}`, () => get(`/errors/${id}/similar`));
  const similar = value?.items ?? [];
  const [first] = similar;
  const facts = [merged && `${merged} merged`, first && `looks like #${first.error_group_id}`]
    .filter(Boolean)
    .join(', ');
  return (
    <Disclosure title={`Why these reports are grouped${facts && ` (${facts})`}`} id="grouping">
      <LazyScreen name="GroupingDetails" props={{ group, similar }} />
    </Disclosure>
  );
}

/** Reloads when the group changes, or the source maps of its project. */
function useReloadOnEvents(groupId: number, projectId: number | undefined, reload: () => void): void {
  useLayoutEffect(() => {
    let timer = 0;
    const unsubscribe = onEvent((event) => {
      const isRelevant =
        ('group' in event && event.group.error_group_id === groupId) ||
        ('error_group_id' in event && event.error_group_id === groupId) ||
        ('into' in event && event.into.error_group_id === groupId) ||
        (event.type === 'project.updated' && event.project_id === projectId);
      if (!isRelevant) return;
      // A change by a user is shown immediately. Further reports can be many, so they share a reload.
      const isReport = event.type === 'group.updated';
      if (isReport && timer) return;
      clearTimeout(timer);
      timer = setTimeout(
        () => {
          timer = 0;
          reload();
        },
        isReport ? groupReloadPauseMs : 0,
      );
    });
    return () => {
      clearTimeout(timer);
      unsubscribe();
    };
  }, [groupId, projectId]);
}
