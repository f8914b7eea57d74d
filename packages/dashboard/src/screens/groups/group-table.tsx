import { useComputed, type Signal } from '@preact/signals';
import type { ErrorGroup } from '@service/protocol';
import { Sparkline } from '../../components/charts.tsx';
import { TimeAgo } from '../../components/time.tsx';
import { countOf, formatNumber } from '../../format/count.ts';
import { go, withParams } from '../../router/address.ts';
import { projectName } from '../../session/projects.ts';
import { canWrite } from '../../session/permissions.ts';
import { rememberGroup, toggleSelected, type ListState } from './current-list.ts';
import type { Sort } from './group-list.ts';
import { changingIds } from './set-status.ts';
import { statusBadge } from './status.ts';

const sortableColumns: [sort: Sort, title: string, className: string][] = [
  ['count', 'Reports', 'number'],
  ['users', 'Users', 'number users'],
  ['last_seen', 'Last seen', 'when'],
  ['first_seen', 'Age', 'when age'],
];

export function GroupTable(state: ListState) {
  const { list, selected } = state;
  const { ids } = list;
  const areAllSelected = ids.every((id) => selected.value.has(id));
  return (
    <table>
      <thead>
        <tr>
          {canWrite() && (
            <th class="check">
              <input
                type="checkbox"
                aria-label="Select all errors on this page"
                checked={areAllSelected}
                onChange={() => (selected.value = new Set(areAllSelected ? [] : ids))}
              />
            </th>
          )}
          <th scope="col" class="what">
            Error
          </th>
          <th scope="col" class="trend">
            Last 24 hours
          </th>
          {sortableColumns.map(([sort, title, className]) => (
            <SortableHeading key={sort} sort={sort} title={title} class={className} query={list.query} />
          ))}
        </tr>
      </thead>
      <tbody>
        {ids.map((id) => {
          const group = list.rows.get(id);
          return group && <Row key={id} group={group} {...state} />;
        })}
      </tbody>
    </table>
  );
}

interface SortableHeadingProps {
  sort: Sort;
  title: string;
  class: string;
  query: ListState['list']['query'];
}

function SortableHeading({ sort, title, class: className, query }: SortableHeadingProps) {
  const isDescending = query.order === 'desc';
  const direction = query.sort === sort && (isDescending ? 'descending' : 'ascending');
  return (
    <th scope="col" class={className} {...(direction && { 'aria-sort': direction })}>
      <a href={withParams({ sort, order: direction && isDescending ? 'asc' : null })}>
        {title}
        {direction && (isDescending ? ' ↓' : ' ↑')}
      </a>
    </th>
  );
}

/** Redrawn only when its own group changes, or its own entry in the selection or in the pending changes. */
function Row({ group: { value: group }, list, selected }: ListState & { group: Signal<ErrorGroup> }) {
  const { error_group_id: id, project_id, type, message, culprit, environments, trend, users, status, level } = group;
  const isChanging = useComputed(() => changingIds.value.has(id)).value;
  const isSelected = useComputed(() => selected.value.has(id)).value;
  const badge = statusBadge(group);
  const project = !list.query.projectId && projectName(project_id);
  const reportsToday = trend.reduce((sum, hour) => sum + hour, 0);
  return (
    <tr
      data-group={id}
      class={`${status} ${isSelected ? 'chosen' : ''}`}
      aria-busy={isChanging}
      onFocusIn={() => rememberGroup(id)}
      onClick={({ target }) => {
        // Links and checkboxes handle their clicks, and selecting text must not open the error.
        const isOnRow = target instanceof Element && !target.closest('a, .check');
        if (isOnRow && getSelection()?.isCollapsed !== false) go(`/groups/${id}`);
      }}
    >
      {canWrite() && (
        <td class="check">
          <input
            type="checkbox"
            aria-label={`Select ${type ?? ''} ${message.slice(0, 80)}`}
            checked={isSelected}
            onChange={() => toggleSelected(selected, id)}
          />
        </td>
      )}
      <td class={`what ${level}`}>
        <a href={`/groups/${id}`} dir="auto">
          {type && <b>{type}</b>} <span>{message}</span>
        </a>
        <p>
          {badge && <i class={`badge ${badge}`}>{badge}</i>}
          {level === 'fatal' && <i class="badge fatal">fatal</i>}
          <span dir="auto">{[culprit, project, environments.slice(0, 3).join(', ')].filter(Boolean).join(' · ')}</span>
        </p>
      </td>
      <td class="trend">
        <Sparkline counts={trend} label={`${countOf(reportsToday, 'report')} in the last 24 hours`} />
      </td>
      <td class="number reports" data-title="Reports">
        {formatNumber(group.count)}
      </td>
      <td class="number users" data-title="Users">
        {users > 0 ? formatNumber(users) : '–'}
      </td>
      <td class="when" data-title="Seen">
        <TimeAgo at={group.last_seen} />
      </td>
      <td class="when age" data-title="Age">
        <TimeAgo at={group.first_seen} />
      </td>
    </tr>
  );
}
