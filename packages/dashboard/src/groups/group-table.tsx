import type { Signal } from '@preact/signals';
import type { ErrorGroup } from '@service/protocol';
import { Sparkline } from '../parts/charts.tsx';
import { Ago } from '../parts/time.tsx';
import { go, withParams } from '../router/address.ts';
import { mayWrite } from '../session/session.ts';
import { projectName } from '../session/projects.ts';
import type { GroupList, Sort } from './group-list.ts';
import { settling } from './set-status.ts';
import { standingOf } from './standing.ts';

interface Props {
  list: GroupList;
  selected: Signal<number | null>;
  chosen: Signal<ReadonlySet<number>>;
  showsProject: boolean;
}

export function GroupTable({ list, selected, chosen, showsProject }: Props) {
  const ids = list.ids.value;
  const isAll = ids.length > 0 && ids.every((id) => chosen.value.has(id));
  return (
    <table>
      <thead>
        <tr>
          {mayWrite() && (
            <th class="check">
              <input
                type="checkbox"
                aria-label="Select all errors of this page"
                checked={isAll}
                onChange={() => (chosen.value = new Set(isAll ? [] : ids))}
              />
            </th>
          )}
          <th scope="col">Error</th>
          <th scope="col" class="trend">
            24 hours
          </th>
          <SortHeader list={list} by="count" title="Reports" class="number" />
          <SortHeader list={list} by="users" title="Users" class="number users" />
          <SortHeader list={list} by="last_seen" title="Last seen" class="when" />
          <SortHeader list={list} by="first_seen" title="Age" class="when age" />
        </tr>
      </thead>
      <tbody>
        {ids.map((id) => {
          const group = list.rows.get(id);
          return (
            group && <Row key={id} group={group} selected={selected} chosen={chosen} showsProject={showsProject} />
          );
        })}
      </tbody>
    </table>
  );
}

function SortHeader({ list, by, title, class: name }: { list: GroupList; by: Sort; title: string; class: string }) {
  const { sort, order } = list.query;
  const isCurrent = sort === by;
  const next = isCurrent && order === 'desc' ? 'asc' : 'desc';
  return (
    <th scope="col" class={name} aria-sort={isCurrent ? (order === 'desc' ? 'descending' : 'ascending') : undefined}>
      <a href={withParams({ sort: by === 'last_seen' ? null : by, order: next === 'asc' ? 'asc' : null })}>
        {title}
        {isCurrent && <span aria-hidden="true">{order === 'desc' ? ' ↓' : ' ↑'}</span>}
      </a>
    </th>
  );
}

interface RowProps {
  group: Signal<ErrorGroup>;
  selected: Signal<number | null>;
  chosen: Signal<ReadonlySet<number>>;
  showsProject: boolean;
}

function Row({ group, selected, chosen, showsProject }: RowProps) {
  const { error_group_id: id, project_id, type, message, culprit, environments, trend, ...rest } = group.value;
  const { count, users, status, level, first_seen, last_seen } = rest;
  const isChosen = chosen.value.has(id);
  const standing = standingOf(group.value);
  const place = [culprit, showsProject && projectName(project_id), environments.slice(0, 3).join(', ')].filter(Boolean);
  const busy = settling.value.has(id);
  return (
    <tr
      data-group={id}
      class={`${status} ${selected.value === id ? 'selected' : ''} ${isChosen ? 'chosen' : ''}`}
      aria-busy={busy || undefined}
      onFocusIn={() => (selected.value = id)}
      onClick={(event) => isOnNothing(event) && go(`/groups/${id}`)}
    >
      {mayWrite() && (
        <td class="check">
          <input
            type="checkbox"
            aria-label={`Select ${type ?? ''} ${message.slice(0, 80)}`}
            checked={isChosen}
            onChange={() => {
              const ids = new Set(chosen.value);
              if (!ids.delete(id)) ids.add(id);
              chosen.value = ids;
            }}
          />
        </td>
      )}
      <td class={`what ${level}`}>
        <a href={`/groups/${id}`} dir="auto">
          {type && <b>{type}</b>} <span>{message}</span>
        </a>
        <p>
          {standing && <i class={`badge ${standing}`}>{standing}</i>}
          <span dir="auto">{place.join(' · ')}</span>
        </p>
      </td>
      <td class="trend">
        <Sparkline counts={trend} label={`${trend.reduce((sum, hour) => sum + hour, 0)} reports in 24 hours`} />
      </td>
      <td class="number reports">{count.toLocaleString()}</td>
      <td class="number users">{users > 0 ? users.toLocaleString() : <span class="none">–</span>}</td>
      <td class="when">
        <Ago at={last_seen} />
      </td>
      <td class="when age">
        <Ago at={first_seen} />
      </td>
    </tr>
  );
}

/** A click on a row that hits no control of its own, and selects no text. */
function isOnNothing(event: MouseEvent): boolean {
  if (!(event.target instanceof Element) || event.target.closest('a, input, button, .check')) return false;
  return getSelection()?.isCollapsed !== false && !event.ctrlKey && !event.metaKey;
}
