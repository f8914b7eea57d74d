import { useSignal } from '@preact/signals';
import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { useLoad } from '../../api/use-load.ts';
import { retryWhenLive } from '../../api/retry-when-live.ts';
import { Loaded, Waiting } from '../../components/loaded.tsx';
import { Select } from '../../components/form.tsx';
import { sayNumber } from '../../components/format-count.ts';
import { pageOf, Pager } from '../../components/pager.tsx';
import { Prose } from '../../components/prose.tsx';
import { address, go, param, withParams } from '../../router/address.ts';
import { projectName, projects } from '../../session/projects.ts';
import { FirstProject } from '../start/first-project.tsx';
import { Connect } from '../start/setup-guide.tsx';
import { readFilter, writeFilter, type GroupFilter } from './group-filter.ts';
import type { ListQuery } from './group-list.ts';
import { GroupTable } from './group-table.tsx';
import { useListKeys } from './list-shortcuts.ts';
import { setStatus, whenSettled } from './set-status.ts';
import { SearchBox } from './search-box.tsx';
import { rememberScroll, returnToRow, showList, type ListState } from './current-list.ts';
import { stayForMoved } from './stay-for-moved-rows.ts';
import { useFacets } from './use-facets.ts';

const facetTitles = { environment: 'Environment', release: 'Release' };
const statuses = { active: 'Active', resolved: 'Resolved', all: 'All' };

/** The errors of a team or of one project: filtered, sorted and paged by the address, live. */
export function GroupsScreen() {
  const table = useRef<HTMLDivElement | null>(null);
  const path = `/${address.value.search}`;
  const chosen = useSignal<ReadonlySet<number>>(new Set());

  const list = useMemo(() => {
    const isHeld = (): boolean => !!table.current?.querySelector('tbody:is(:hover, :focus-within)');
    return showList(path, isHeld, readQuery);
  }, [path]);
  const state = { list, chosen };
  const view = list.view.value;
  const error = list.error.value;
  const news = list.news.value;
  const { filter, projectId } = list.query;

  // Before the next frame: what is loaded must not wait for what is only a place for it.
  useLayoutEffect(() => {
    chosen.value = new Set();
    list.start();
    const ends = [
      retryWhenLive(
        () => list.error.value,
        () => list.load(),
      ),
      whenSettled(() => list.refill()),
    ];
    return () => {
      for (const end of ends) end();
      list.stop();
    };
  }, [list]);
  useLayoutEffect(() => {
    returnToRow();
    addEventListener('scroll', rememberScroll);
    return () => removeEventListener('scroll', rememberScroll);
  }, []);
  // Nothing is done to a row that is not to be seen any more.
  useLayoutEffect(() => {
    const left = list.ids.filter((id) => chosen.value.has(id));
    if (left.length < chosen.value.size) chosen.value = new Set(left);
  }, [view]);
  const project = projectId && projectName(projectId);
  const heading = project || 'Errors';
  const titleParts = [writeFilter(filter), list.query.page > 1 && `page ${list.query.page}`, project, 'Errors'];
  const tabTitle = (news > 0 ? `(${news}) ` : '') + titleParts.filter(Boolean).join(' · ');
  useLayoutEffect(() => {
    document.title = tabTitle;
  }, [tabTitle]);
  // Who is at a row of what was the last page stays there, however few others there are by then.
  const pages = view && Math.max(view.pages, view.ids.length > 0 ? list.query.page : 1);
  useListKeys(state);
  // When this runs, the browser does not know yet where pointer and focus are going.
  const release = (): void => void requestAnimationFrame(() => list.release());

  const known = projects.value ?? [];
  if (projects.value && known.length === 0) return <FirstProject />;
  return (
    <main class="groups">
      <header class="head">
        <h1 tabIndex={-1} dir="auto">
          {heading}
        </h1>
        {projectId && <a href={`/projects/${projectId}`}>Settings</a>}
      </header>
      <div class="tools">
        <nav class="tabs" aria-label="Status">
          {Object.entries(statuses).map(([status, title]) => (
            <a
              key={status}
              href={filterPath(filter, { status: status as GroupFilter['status'] })}
              aria-current={filter.status === status && 'page'}
            >
              {title}
            </a>
          ))}
        </nav>
        <SearchBox filter={filter} />
        {known.length > 1 && (
          <Select
            label="Project"
            value={`${projectId ?? ''}`}
            options={[['', 'All projects'], ...known.map(({ id, name }) => [`${id}`, name] as const)]}
            choose={(id) => go(withParams({ project: id }))}
          />
        )}
        <FacetChoices projectId={projectId} filter={filter} />
      </div>
      <Strip {...state} total={view?.total ?? 0} news={news} />
      <div ref={table} onPointerLeave={release} onFocusOut={release}>
        <Loaded of={{ value: view, error, reload: () => list.load() }}>{() => <Rows {...state} />}</Loaded>
      </div>
      <Pager pages={pages} stay={() => stayForMoved(list)} />
    </main>
  );
}

function Rows(state: ListState) {
  const { ids, query } = state.list;
  const { filter, projectId } = query;
  if (ids.length > 0) return <GroupTable {...state} />;
  // The rows are on other pages, and the pager leads there.
  if (state.list.view.value?.total) return <Waiting />;
  const { environment, release, words, status } = filter;
  if (environment === null && release === null && words === '' && status === 'active')
    return <NoErrors projectId={projectId} />;
  return (
    <div class="empty">
      <h2>Nothing matches</h2>
      <a href={withParams({ q: status === 'all' ? '' : writeFilter({ ...filter, status: 'all' }) })}>
        {status === 'all' ? 'Clear the filter' : 'Search all errors'}
      </a>
    </div>
  );
}

/** Either all is well, or nothing was ever connected: then the next step stands here. */
function NoErrors({ projectId }: { projectId: number | null }) {
  const ever = useLoad<{ total: number }>(`/errors?size=1${projectId ? `&project_id=${projectId}` : ''}`);
  const project = projects.value?.find(({ id }) => projectId === null || id === projectId);
  if (!ever.value || !project) return <Waiting />;
  return ever.value.total === 0 ? <Connect project={project} /> : <Prose id="no-errors" />;
}

/** One line of a fixed height above the rows: what is chosen, or how many there are and what is new. */
function Strip({ list, chosen, total, news }: ListState & { total: number; news: number }) {
  const count = chosen.value.size;
  const clear = (): void => {
    chosen.value = new Set();
    focusHeading();
  };
  const settle = (status: 'active' | 'resolved'): void => {
    void setStatus([...chosen.value], status);
    clear();
  };
  return (
    <div class="strip">
      {count > 0 ? (
        <>
          <b>{count} selected</b>
          <button class="small" onClick={() => settle('resolved')}>
            Resolve
          </button>
          <button class="small" onClick={() => settle('active')}>
            Reopen
          </button>
          <button class="small plain" onClick={clear}>
            Clear
          </button>
        </>
      ) : (
        <span class="soft">{total > 0 && `${sayNumber(total)} ${total === 1 ? 'error' : 'errors'}`}</span>
      )}
      <span role="status">
        {news > 0 && (
          <button
            class="pill"
            onClick={() => {
              list.showNews();
              focusHeading();
            }}
          >
            {news} new
          </button>
        )}
      </span>
    </div>
  );
}

/** A button of the strip disappears with what it has done. Without this, the focus would fall to the body. */
function focusHeading(): void {
  document.querySelector('h1')?.focus({ preventScroll: true });
}

function FacetChoices({ projectId, filter }: { projectId: number | null; filter: GroupFilter }) {
  const facets = useFacets(projectId);
  return (
    <>
      {(['environment', 'release'] as const).map((name) => {
        const current = filter[name];
        const values = new Set([...(current === null ? [] : [current]), ...(facets?.[`${name}s`] ?? [])]);
        return (
          values.size > 0 && (
            <Select
              key={name}
              label={facetTitles[name]}
              value={current ?? ''}
              options={[['', `All ${name}s`], ...Array.from(values, (value) => [value, value] as const)]}
              choose={(value) => go(filterPath(filter, { [name]: value || null }))}
            />
          )
        );
      })}
    </>
  );
}

function readQuery(): ListQuery {
  const sort = param('sort');
  return {
    filter: readFilter(param('q')),
    projectId: Number(param('project')) || null,
    sort: /^(first_seen|count|users)$/.test(sort) ? (sort as 'count') : 'last_seen',
    order: param('order') === 'asc' ? 'asc' : 'desc',
    page: pageOf(),
  };
}

function filterPath(filter: GroupFilter, change: Partial<GroupFilter>): string {
  return withParams({ q: writeFilter({ ...filter, ...change }) });
}
