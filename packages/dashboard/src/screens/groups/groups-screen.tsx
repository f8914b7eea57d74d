import { useSignal } from '@preact/signals';
import type { Facets } from '@service/protocol';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { retryWhenLive } from '../../api/retry-when-live.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loaded, Loading } from '../../components/loaded.tsx';
import { currentPage, Pager } from '../../components/pager.tsx';
import { runWithToast } from '../../components/toast.tsx';
import { countOf } from '../../format/count.ts';
import { Select, type Option } from '../../forms/fields.tsx';
import { address, go, onLeave, param, withParams } from '../../router/address.ts';
import { focusHeading } from '../../router/focus-heading.ts';
import { useTitle } from '../../router/title.ts';
import { projectName, projects } from '../../session/projects.ts';
import { LazyScreen } from '../lazy-screen.tsx';
import { openList, rememberScroll, restorePosition, type ListState } from './current-list.ts';
import { filterFields, formatFilter, parseFilter, type GroupFilter } from '../filter/group-filter.ts';
import type { ListQuery } from './group-list.ts';
import { GroupTable } from './group-table.tsx';
import { useListShortcuts } from './list-shortcuts.ts';
import { SearchBox } from './search-box.tsx';
import { onStatusesChanged, setStatus } from './set-status.ts';
import { stayForMovedRows } from './stay-for-moved-rows.ts';
import { useFacets } from './use-facets.ts';

const statusTitles = { active: 'Active', resolved: 'Resolved', all: 'All' };

/** The errors of the team or of one project. The address has the filters, the order and the page. */
export function GroupsScreen() {
  if (projects.value?.length === 0) return <LazyScreen name="FirstProject" props={{}} />;
  return <Groups />;
}

function Groups() {
  const table = useRef<HTMLDivElement | null>(null);
  const path = `/${address.value.search}`;
  const selected = useSignal<ReadonlySet<number>>(new Set());
  const list = useMemo(() => {
    const isInUse = (): boolean => !!table.current?.querySelector('tbody:is(:hover, :focus-within)');
    return openList(path, isInUse, readQuery);
  }, [path]);
  const state = { list, selected };
  const view = list.view.value;
  const newCount = limitedCount(list.newCount.value);
  const { filter, projectId, page } = list.query;

  // A layout effect sends the request before the first paint.
  useLayoutEffect(() => {
    selected.value = new Set();
    list.start();
    const unsubscribes = [
      retryWhenLive(
        () => list.error.value,
        () => list.load(),
      ),
      onStatusesChanged(() => list.fillGaps()),
    ];
    return () => {
      for (const unsubscribe of unsubscribes) unsubscribe();
      list.stop();
    };
  }, [list]);
  useLayoutEffect(() => {
    restorePosition();
    addEventListener('scroll', rememberScroll);
    // The event of the last scroll may still be pending.
    const unsubscribe = onLeave(rememberScroll);
    return () => {
      unsubscribe();
      removeEventListener('scroll', rememberScroll);
    };
  }, []);
  // Rows that are no longer visible are deselected, so that no action changes them.
  useLayoutEffect(() => {
    const visible = list.ids.filter((id) => selected.value.has(id));
    if (visible.length < selected.value.size) selected.value = new Set(visible);
  }, [view]);
  const project = projectId && projectName(projectId);
  const unseen = newCount && `(${newCount}) `;
  const [first = '', ...others] = [formatFilter(filter), page > 1 && `page ${page}`, project, 'Errors'].filter(Boolean);
  useTitle(`${unseen}${first}`, ...(others as string[]));
  // The last page stays while one of its rows is in use, even if the total no longer needs it.
  const pages = view && Math.max(view.pages, view.ids.length > 0 ? page : 1);
  useListShortcuts(state);
  // When the event fires, the browser has not updated :hover and :focus-within yet.
  const onRowsLeft = (): void => void requestAnimationFrame(() => list.onRowsLeft());

  return (
    <main class="groups">
      <header class="head">
        <h1 tabIndex={-1} dir="auto">
          {project || 'Errors'}
        </h1>
        {projectId && <a href={`/projects/${projectId}`}>Settings</a>}
      </header>
      <Filters filter={filter} projectId={projectId} />
      <Summary {...state} total={view?.total ?? 0} />
      <div ref={table} onPointerLeave={onRowsLeft} onFocusOut={onRowsLeft}>
        <Loaded load={{ value: view, error: list.error.value, reload: () => list.load() }}>
          {() => <Rows {...state} />}
        </Loaded>
      </div>
      <Pager pages={pages} stayOnPage={() => stayForMovedRows(list)} />
    </main>
  );
}

function Filters({ filter, projectId }: { filter: GroupFilter; projectId: number | null }) {
  const all = projects.value ?? [];
  const facets = useFacets(projectId);
  const projectOptions = all.map(({ id, name }): Option<string> => [`${id}`, name]);
  return (
    <div class="tools">
      <nav class="tabs" aria-label="Status">
        {Object.entries(statusTitles).map(([status, title]) => (
          <a
            key={status}
            href={filterPath(filter, { status: status as GroupFilter['status'] })}
            aria-current={filter.status === status && 'page'}
          >
            {title}
          </a>
        ))}
      </nav>
      <SearchBox filter={filter} tags={facets?.tags ?? []} />
      {all.length > 1 && (
        <Select
          label="Project"
          value={`${projectId ?? ''}`}
          options={[['', 'All projects'], ...projectOptions]}
          onChoose={(id) => go(withParams({ project: id }))}
        />
      )}
      <FacetFilters facets={facets} filter={filter} />
    </div>
  );
}

function FacetFilters({ facets, filter }: { facets: Facets | undefined; filter: GroupFilter }) {
  return (
    <>
      {filterFields.map(({ name, title, facet }) => {
        const current = filter[name];
        const values = new Set([...(current ? [current] : []), ...((facet && facets?.[facet]) ?? [])]);
        return (
          facet &&
          values.size > 0 && (
            <Select
              key={name}
              label={title}
              value={current ?? ''}
              options={[['', `All ${facet}`], ...Array.from(values, (value) => [value, value] as const)]}
              onChoose={(value) => go(filterPath(filter, { [name]: value }))}
            />
          )
        );
      })}
    </>
  );
}

/** A line of fixed height above the rows: the actions for the selected rows, or the total. */
function Summary({ list, selected, total }: ListState & { total: number }) {
  const newCount = limitedCount(list.newCount.value);
  const updatedCount = limitedCount(list.updatedCount.value);
  const pending = [newCount && `${newCount} new`, updatedCount && `${updatedCount} updated`].filter(Boolean).join(', ');
  const count = selected.value.size;
  const clear = (): void => {
    selected.value = new Set();
    // The button is about to disappear. Without this, the focus would move to the body.
    focusHeading();
  };
  const changeStatus = (status: 'active' | 'resolved'): void => {
    void setStatus([...selected.value], status);
    clear();
  };
  const merge = (): void => {
    const groups = [...selected.value].flatMap((id) => list.rows.get(id)?.value ?? []);
    void runWithToast(async () => (await import('../lazy-script.ts')).mergeGroups(groups));
    clear();
  };
  return (
    <div class="strip">
      {count > 0 ? (
        <>
          <b>{count} selected</b>
          <button class="small" onClick={() => changeStatus('resolved')}>
            Resolve
          </button>
          <button class="small" onClick={() => changeStatus('active')}>
            Reopen
          </button>
          {count > 1 && (
            <button class="small" onClick={merge}>
              Merge
            </button>
          )}
          <button class="small plain" onClick={clear}>
            Clear
          </button>
        </>
      ) : (
        <span class="soft">{total > 0 && countOf(total, 'error')}</span>
      )}
      <span role="status">
        {pending && (
          <button
            class="pill small"
            onClick={() => {
              list.showNew();
              focusHeading();
            }}
          >
            {pending}
          </button>
        )}
      </span>
    </div>
  );
}

function Rows(state: ListState) {
  const { ids, query } = state.list;
  const { filter, projectId } = query;
  if (ids.length > 0) return <GroupTable {...state} />;
  // The rows are on other pages. The pager replaces the address by the last one.
  if (state.list.view.value?.total) return <Loading />;
  if (formatFilter(filter) === '') return <NoActiveErrors projectId={projectId} />;
  return <LazyScreen name="NoMatches" props={{ filter }} />;
}

/** Shown if no error is active. If there are no resolved errors either, it shows how to set up the SDK. */
function NoActiveErrors({ projectId }: { projectId: number | null }) {
  const all = useLoad<{ total: number }>(`/errors?size=1${projectId ? `&project_id=${projectId}` : ''}`);
  const project = projects.value?.find(({ id }) => projectId === null || id === projectId);
  if (!all.value || !project) return <Loading />;
  if (all.value.total === 0) return <LazyScreen name="SetupGuide" props={{ project }} />;
  return (
    <div class="empty">
      <h2>No active errors</h2>
      <p>New errors appear here automatically.</p>
    </div>
  );
}

/** Formats the number of pending groups: empty for 0, and `99+` from 100 on, where the list stops counting. */
const limitedCount = (count: number): string => (count > 99 ? '99+' : `${count || ''}`);

function readQuery(): ListQuery {
  const sort = param('sort');
  return {
    filter: parseFilter(param('q')),
    projectId: Number(param('project')) || null,
    sort: /^(first_seen|count|users)$/.test(sort) ? (sort as 'count') : 'last_seen',
    order: param('order') === 'asc' ? 'asc' : 'desc',
    page: currentPage(),
  };
}

/** Returns the current address with another filter. */
function filterPath(filter: GroupFilter, change: Partial<GroupFilter>): string {
  return withParams({ q: formatFilter({ ...filter, ...change }) });
}
