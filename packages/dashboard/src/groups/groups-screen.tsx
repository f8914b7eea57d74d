import { use, useSignal } from '../state/signal.ts';
import { useEffect, useMemo, useRef } from '../state/hooks.ts';
import type { Facets } from '@service/protocol';
import { useLoad } from '../api/use-load.ts';
import { get } from '../api/call.ts';
import { listen } from '../live/live.ts';
import { Loaded, Waiting } from '../parts/loaded.tsx';
import { Select } from '../parts/form.tsx';
import { sayNumber } from '../parts/number.ts';
import { pageOf, Pager } from '../parts/pager.tsx';
import { Prose } from '../parts/prose.tsx';
import { address, go, param, withParams } from '../router/address.ts';
import { projectName, projects } from '../session/projects.ts';
import { FirstProject } from '../start/first-project.tsx';
import { Connect } from '../start/connect.tsx';
import { readFilter, writeFilter, type GroupFilter } from './group-filter.ts';
import type { ListQuery } from './group-list.ts';
import { GroupTable } from './group-table.tsx';
import { useListKeys } from './list-keys.ts';
import { setStatus } from './set-status.ts';
import { SearchBox } from './search-box.tsx';
import { showList, type ListState } from './shown-list.ts';

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
  const view = use(list.view);
  const error = use(list.error);
  const news = use(list.news);
  const { filter, projectId } = list.query;

  // Before the next frame: what is loaded must not wait for what is only a place for it.
  useEffect(() => {
    chosen.value = new Set();
    void list.load();
    const deaf = listen((event) => list.hear(event));
    return () => {
      deaf();
      list.stop();
    };
  }, [list]);
  const heading = (projectId && projectName(projectId)) || 'Errors';
  useEffect(() => {
    document.title = (news > 0 ? `(${news}) ` : '') + heading;
  }, [news, heading]);
  useListKeys(state);

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
        <FacetChoices id={projectId ?? known[0]?.id} filter={filter} />
      </div>
      <Strip {...state} total={view?.total ?? 0} news={news} />
      <div ref={table}>
        <Loaded of={{ value: view, error, reload: () => list.load() }}>{() => <Rows {...state} />}</Loaded>
      </div>
      <Pager pages={view?.pages ?? 1} />
    </main>
  );
}

function Rows(state: ListState) {
  const { ids, query } = state.list;
  const { filter, projectId } = query;
  if (ids.length > 0) return <GroupTable {...state} />;
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
  const settle = (status: 'active' | 'resolved'): void => {
    void setStatus([...chosen.value], status);
    chosen.value = new Set();
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
          <button class="small plain" onClick={() => (chosen.value = new Set())}>
            Clear
          </button>
        </>
      ) : (
        <span class="soft">{total > 0 && `${sayNumber(total)} ${total === 1 ? 'error' : 'errors'}`}</span>
      )}
      <span role="status">
        {news > 0 && (
          <button class="pill" onClick={() => list.showNews()}>
            {news} new
          </button>
        )}
      </span>
    </div>
  );
}

function FacetChoices({ id, filter }: { id: number | undefined; filter: GroupFilter }) {
  const facets = useLoad(`facets ${id}`, async () => (id === undefined ? null : get<Facets>(`/projects/${id}/facets`)));
  return (
    <>
      {(['environment', 'release'] as const).map((name) => {
        const current = filter[name];
        const values = new Set([...(current === null ? [] : [current]), ...(facets.value?.[`${name}s`] ?? [])]);
        return (
          values.size > 0 && (
            <Select
              key={name}
              label={name}
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

export function filterPath(filter: GroupFilter, change: Partial<GroupFilter>): string {
  return withParams({ q: writeFilter({ ...filter, ...change }) });
}
