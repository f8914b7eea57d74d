import { useComputed, type Signal } from '@preact/signals';
import type { ErrorGroup } from '@service/protocol';
import { Sparkline } from '../../components/charts.tsx';
import { sayNumber } from '../../components/format-count.ts';
import { Ago } from '../../components/time.tsx';
import { go, withParams } from '../../router/address.ts';
import { mayWrite } from '../../session/session.ts';
import { projectName } from '../../session/projects.ts';
import type { Sort } from './group-list.ts';
import { rememberGroup, toggle, type ListState } from './current-list.ts';
import { settling } from './set-status.ts';
import { standingOf } from './status.ts';

const sorts: [by: Sort, title: string, name: string][] = [
  ['count', 'Reports', 'number'],
  ['users', 'Users', 'number users'],
  ['last_seen', 'Last seen', 'when'],
  ['first_seen', 'Age', 'when age'],
];

export function GroupTable(state: ListState) {
  const { list, chosen } = state;
  const { sort, order } = list.query;
  const { ids } = list;
  const isAll = ids.every((id) => chosen.value.has(id));
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
          <th scope="col" class="what">
            Error
          </th>
          <th scope="col" class="trend">
            24 hours
          </th>
          {sorts.map(([by, title, name]) => {
            const down = order === 'desc';
            const is = sort === by && (down ? 'descending' : 'ascending');
            return (
              <th key={by} scope="col" class={name} {...(is && { 'aria-sort': is })}>
                <a href={withParams({ sort: by, order: is && down ? 'asc' : null })}>
                  {title}
                  {is && (down ? ' ↓' : ' ↑')}
                </a>
              </th>
            );
          })}
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

function Row({ group, list, chosen }: ListState & { group: Signal<ErrorGroup> }) {
  const known = group.value;
  const isSettling = useComputed(() => settling.value.has(group.value.error_group_id)).value;
  const isChosen = useComputed(() => chosen.value.has(group.value.error_group_id)).value;
  const { error_group_id: id, project_id, type, message, culprit, environments, trend, users, status } = known;
  const standing = standingOf(known);
  const place = [culprit, !list.query.projectId && projectName(project_id), environments.slice(0, 3).join(', ')];
  return (
    <tr
      data-group={id}
      class={`${status} ${isChosen ? 'chosen' : ''}`}
      aria-busy={isSettling}
      onFocusIn={() => rememberGroup(id)}
      onClick={({ target }) => {
        // A click that hits no control of its own, and selects no text.
        const isOnRow = target instanceof Element && !target.closest('a, .check');
        if (isOnRow && getSelection()?.isCollapsed !== false) go(`/groups/${id}`);
      }}
    >
      {mayWrite() && (
        <td class="check">
          <input
            type="checkbox"
            aria-label={`Select ${type ?? ''} ${message.slice(0, 80)}`}
            checked={isChosen}
            onChange={() => toggle(chosen, id)}
          />
        </td>
      )}
      <td class={`what ${known.level}`}>
        <a href={`/groups/${id}`} dir="auto">
          {type && <b>{type}</b>} <span>{message}</span>
        </a>
        <p>
          {standing && <i class={`badge ${standing}`}>{standing}</i>}
          <span dir="auto">{place.filter(Boolean).join(' · ')}</span>
        </p>
      </td>
      <td class="trend">
        <Sparkline counts={trend} label={`${trend.reduce((sum, hour) => sum + hour, 0)} reports in 24 hours`} />
      </td>
      <td class="number reports" data-title="Reports">
        {sayNumber(known.count)}
      </td>
      <td class="number users" data-title="Users">
        {users > 0 ? sayNumber(users) : '–'}
      </td>
      <td class="when" data-title="Seen">
        <Ago at={known.last_seen} />
      </td>
      <td class="when age" data-title="Age">
        <Ago at={known.first_seen} />
      </td>
    </tr>
  );
}
