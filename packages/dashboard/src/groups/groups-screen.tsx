import { useSignal, useSignalEffect, type Signal } from '@preact/signals';
import { useEffect, useMemo, useRef } from 'preact/hooks';
import type { Facets } from '@service/protocol';
import { useLoad } from '../api/use-load.ts';
import { get } from '../api/call.ts';
import { useKeys } from '../keys/keys.ts';
import { listen } from '../live/live.ts';
import { Empty, Failed, Waiting } from '../parts/loaded.tsx';
import { address, go, param, withParams } from '../router/address.ts';
import { mayWrite } from '../session/session.ts';
import { projectName, projects } from '../session/projects.ts';
import { FirstProject } from '../start/first-project.tsx';
import { Connect } from '../start/connect.tsx';
import { readFilter, writeFilter, type GroupFilter } from './group-filter.ts';
import { GroupList, type ListQuery, type Sort } from './group-list.ts';
import { GroupTable } from './group-table.tsx';
import { setStatus } from './set-status.ts';
import { SearchBox } from './search-box.tsx';

/** The list that was shown last: who comes back from a group finds it as it was, and goes through it with j and k. */
let shown: { key: string; list: GroupList; selected: Signal<number | null> } | null = null;

export const shownIds = (): readonly number[] => shown?.list.ids.value ?? [];
export const selectShown = (id: number): void => {
  if (shown) shown.selected.value = id;
};
/** Where the list stands. */
export const listPath = (): string => shown?.key ?? '/';

const tabs = [
  ['active', 'Active'],
  ['resolved', 'Resolved'],
  ['all', 'All'],
] as const;

/** The errors of a team or of one project: filtered, sorted and paged by the address, live. */
export function GroupsScreen() {
  const table = useRef<HTMLDivElement>(null);
  const query = readQuery();
  const key = `/${address.value.search}`;
  const selected = useSignal<number | null>(shown?.key === key ? shown.selected.value : null);
  const chosen = useSignal<ReadonlySet<number>>(new Set());

  const list = useMemo(() => {
    const isHeld = (): boolean => {
      const body = table.current?.querySelector('tbody');
      return Boolean(body && (body.matches(':hover') || body.contains(document.activeElement)));
    };
    const made = shown?.key === key ? shown.list.again(isHeld) : new GroupList(query, isHeld);
    shown = { key, list: made, selected };
    return made;
  }, [key]);

  useEffect(() => {
    chosen.value = new Set();
    void list.load();
    const deaf = listen((event) => list.hear(event));
    return () => {
      deaf();
      list.stop();
    };
  }, [list]);

  useTitle(list);
  useListKeys(list, selected, chosen);

  if (projects.value?.length === 0) return <FirstProject />;
  const { filter, projectId } = query;
  const project = projects.value?.find(({ id }) => id === projectId);
  const isFiltered = filter.environment !== null || filter.release !== null || filter.words !== '';
  return (
    <main class="groups">
      <header class="head">
        <h1 tabIndex={-1}>{project?.name ?? 'Errors'}</h1>
        {project && <a href={`/projects/${project.id}`}>Settings</a>}
      </header>
      <div class="tools">
        <nav class="tabs" aria-label="Status">
          {tabs.map(([status, title]) => (
            <a
              key={status}
              href={filterPath(filter, { status })}
              aria-current={filter.status === status ? 'page' : undefined}
            >
              {title}
            </a>
          ))}
        </nav>
        <SearchBox filter={filter} />
        <FacetChoices projectId={projectId} filter={filter} />
      </div>
      <Strip list={list} chosen={chosen} />
      <div ref={table}>
        <Rows list={list} selected={selected} chosen={chosen} isFiltered={isFiltered} />
      </div>
      <Pages list={list} />
    </main>
  );
}

function Rows({
  list,
  selected,
  chosen,
  isFiltered,
}: {
  list: GroupList;
  selected: Signal<number | null>;
  chosen: Signal<ReadonlySet<number>>;
  isFiltered: boolean;
}) {
  const { filter, projectId, page } = list.query;
  if (!list.isLoaded.value)
    return list.error.value ? <Failed error={list.error.value} again={() => list.load()} /> : <Waiting lines={8} />;
  if (list.ids.value.length > 0)
    return <GroupTable list={list} selected={selected} chosen={chosen} showsProject={projectId === null} />;
  if (page > 1) {
    return (
      <Empty title="This page is empty">
        <a href={withParams({})}>First page</a>
      </Empty>
    );
  }
  if (isFiltered) {
    return (
      <Empty title="Nothing matches">
        <p>
          <a href={filterPath({ ...filter, environment: null, release: null, words: '' }, {})}>Clear the filter</a>
          {filter.status !== 'all' && (
            <>
              {' or '}
              <a href={filterPath(filter, { status: 'all' })}>search resolved errors too</a>
            </>
          )}
        </p>
      </Empty>
    );
  }
  if (filter.status === 'resolved') return <Empty title="Nothing is resolved yet" />;
  return <NoErrors projectId={projectId} />;
}

/** Either all is well, or nothing was ever connected: then the next step stands here. */
function NoErrors({ projectId }: { projectId: number | null }) {
  const scope = projectId === null ? '' : `&project_id=${projectId}`;
  const ever = useLoad(`ever${scope}`, () => get<{ total: number }>(`/errors?size=1${scope}`));
  if (!ever.value) return <Waiting />;
  if (ever.value.total > 0) {
    return (
      <Empty title="No active errors">
        <p>New ones appear here by themselves.</p>
      </Empty>
    );
  }
  const project = projects.value?.find(({ id }) => id === projectId) ?? projects.value?.[0];
  return project ? <Connect project={project} /> : <Waiting />;
}

/** One line of a fixed height above the rows: what is chosen, or how many there are and what is new. */
function Strip({ list, chosen }: { list: GroupList; chosen: Signal<ReadonlySet<number>> }) {
  const count = chosen.value.size;
  const news = list.news.value.size;
  const total = list.total.value;
  return (
    <div class="strip">
      {count > 0 ? (
        <>
          <b>{count} selected</b>
          <button type="button" class="small" onClick={() => settleChosen(chosen, 'resolved')}>
            Resolve
          </button>
          <button type="button" class="small" onClick={() => settleChosen(chosen, 'active')}>
            Reopen
          </button>
          <button type="button" class="small plain" onClick={() => (chosen.value = new Set())}>
            Clear
          </button>
        </>
      ) : (
        <span class="soft">
          {list.isLoaded.value && total > 0 && `${total.toLocaleString()} ${total === 1 ? 'error' : 'errors'}`}
        </span>
      )}
      <span role="status">
        {news > 0 && (
          <button type="button" class="pill" onClick={() => list.showNews()}>
            {news >= 99 ? '99+' : news} new
          </button>
        )}
      </span>
      {list.isLoaded.value && list.error.value && <span class="problem">{list.error.value.message}</span>}
    </div>
  );
}

function settleChosen(chosen: Signal<ReadonlySet<number>>, status: 'active' | 'resolved'): void {
  const ids = Array.from(chosen.value);
  chosen.value = new Set();
  void setStatus(ids, status);
}

function FacetChoices({ projectId, filter }: { projectId: number | null; filter: GroupFilter }) {
  const id = projectId ?? (projects.value?.length === 1 ? projects.value[0]?.id : undefined);
  const facets = useLoad(`facets ${id}`, async () => (id === undefined ? null : get<Facets>(`/projects/${id}/facets`)));
  return (
    <>
      {projects.value && projects.value.length > 1 && (
        <Choice
          label="Project"
          value={projectId === null ? '' : String(projectId)}
          none="All projects"
          choices={projects.value.map(({ id: value, name }) => [String(value), name])}
          choose={(value) => go(withParams({ project: value }))}
        />
      )}
      {(['environment', 'release'] as const).map((name) => {
        const known = facets.value?.[`${name}s`] ?? [];
        const current = filter[name];
        const values = current === null || known.includes(current) ? known : [current, ...known];
        if (values.length === 0) return null;
        return (
          <Choice
            key={name}
            label={name === 'release' ? 'Release' : 'Environment'}
            value={current ?? ''}
            none={name === 'release' ? 'All releases' : 'All environments'}
            choices={values.map((value) => [value, value])}
            choose={(value) => go(filterPath(filter, { [name]: value }))}
          />
        );
      })}
    </>
  );
}

function Choice({
  label,
  value,
  none,
  choices,
  choose,
}: {
  label: string;
  value: string;
  none: string;
  choices: [value: string, title: string][];
  choose(value: string | null): void;
}) {
  return (
    <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value || null)}>
      <option value="">{none}</option>
      {choices.map(([choice, title]) => (
        <option key={choice} value={choice} selected={choice === value}>
          {title}
        </option>
      ))}
    </select>
  );
}

function Pages({ list }: { list: GroupList }) {
  const { page } = list.query;
  const pages = list.pages.value;
  if (pages <= 1 && page === 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && (
        <a class="button" rel="prev" href={withParams({ page: page === 2 ? null : String(page - 1) })}>
          Previous
        </a>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a class="button" rel="next" href={withParams({ page: String(page + 1) })}>
          Next
        </a>
      )}
    </nav>
  );
}

function readQuery(): ListQuery {
  const sort = param('sort');
  return {
    filter: readFilter(param('q')),
    projectId: Number(param('project')) || null,
    sort: /^(first_seen|count|users)$/.test(sort) ? (sort as Sort) : 'last_seen',
    order: param('order') === 'asc' ? 'asc' : 'desc',
    page: Math.max(1, Math.trunc(Number(param('page'))) || 1),
  };
}

export function filterPath(filter: GroupFilter, change: Partial<GroupFilter>): string {
  return withParams({ q: writeFilter({ ...filter, ...change }) });
}

function useTitle(list: GroupList): void {
  useSignalEffect(() => {
    const { projectId } = list.query;
    const news = list.news.value.size;
    const name = (projectId !== null && projectName(projectId)) || 'Errors';
    document.title = `${news > 0 ? `(${news}) ` : ''}${name}`;
  });
}

function useListKeys(list: GroupList, selected: Signal<number | null>, chosen: Signal<ReadonlySet<number>>): void {
  const step = (by: number) => (): void => {
    const ids = list.ids.value;
    const at = selected.value === null ? -1 : ids.indexOf(selected.value);
    const next = ids[at < 0 ? (by > 0 ? 0 : ids.length - 1) : Math.max(0, Math.min(ids.length - 1, at + by))];
    if (next === undefined) return;
    selected.value = next;
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-group="${next}"] a`)?.focus());
  };
  const toggle = (): void => {
    if (selected.value === null) return;
    const ids = new Set(chosen.value);
    if (!ids.delete(selected.value)) ids.add(selected.value);
    chosen.value = ids;
  };
  useKeys({
    j: step(1),
    k: step(-1),
    x: toggle,
    '.': () => list.showNews(),
    r: () => {
      if (!mayWrite()) return;
      const ids = chosen.value.size > 0 ? Array.from(chosen.value) : selected.value === null ? [] : [selected.value];
      chosen.value = new Set();
      const isResolved = ids.length === 1 && list.rows.get(ids[0] ?? 0)?.value.status === 'resolved';
      if (ids.length > 0) void setStatus(ids, isResolved ? 'active' : 'resolved');
    },
    n: () => list.query.page < list.pages.value && go(withParams({ page: String(list.query.page + 1) })),
    p: () => list.query.page > 1 && go(withParams({ page: String(list.query.page - 1) })),
  });
}
