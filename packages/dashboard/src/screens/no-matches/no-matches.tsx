import { withParams } from '../../router/address.ts';
import { describeFilter, filterHints, tagsAsWords } from './describe-filter.ts';
import { formatFilter, type GroupFilter } from '../filter/group-filter.ts';

/** Shown if no error matches the filter. Describes the search, and links to wider ones. */
export function NoMatches({ filter }: { filter: GroupFilter }) {
  const { status, tags } = filter;
  return (
    <div class="empty">
      <h2>No errors match</h2>
      <p dir="auto">{describeFilter(filter)}</p>
      {filterHints(filter).map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
      <a href={withParams({ q: status === 'all' ? '' : formatFilter({ ...filter, status: 'all' }) })}>
        {status === 'all' ? 'Clear the filters' : 'Search all errors'}
      </a>
      {tags.length > 0 && <a href={withParams({ q: formatFilter(tagsAsWords(filter)) })}>Search as text</a>}
    </div>
  );
}
