import type { GroupDetails, TagCount, TagName } from '@service/protocol';
import type { ComponentChildren } from 'preact';
import { Bar } from '../../components/charts.tsx';
import { SafeLink } from '../../components/safe-link.tsx';
import { countOf } from '../../format/count.ts';
import { filteredListPath } from '../filter/group-filter.ts';

/** In the order in which they are shown. */
const titles = {
  environment: 'Environment',
  browser: 'Browser',
  os: 'Operating system',
  release: 'Release',
  url: 'URL',
} satisfies Record<TagName, string>;
const shownValues = 5;

/** The most frequent values of each tag, with their shares as bars. */
export function Tags({ group }: { group: GroupDetails }) {
  const { tags, other_tags: others, custom_tags: customTags, project_id: projectId } = group;
  const names = Object.keys(titles) as TagName[];
  const used = names.filter((name) => (tags[name]?.length ?? 0) > 0);
  if (used.length === 0 && customTags.length === 0) return null;
  const show = {
    environment: (environment: string) => <a href={filteredListPath(projectId, { environment })}>{environment}</a>,
    release: (release: string) => <a href={filteredListPath(projectId, { release })}>{release}</a>,
    url: (url: string) => <SafeLink url={url}>{url.replace(/^https?:\/\//, '')}</SafeLink>,
    browser: (browser: string) => browser,
    os: (os: string) => os,
  };
  return (
    <section class="tags" aria-label="Tags">
      {used.map((name) => (
        <Tag
          key={name}
          title={titles[name]}
          values={tags[name] ?? []}
          other={others[name] ?? 0}
          total={group.count}
          show={show[name]}
        />
      ))}
      {customTags.map((tag) => (
        <Tag
          key={tag.name}
          title={tag.name}
          values={tag.values}
          other={tag.other}
          total={group.count}
          show={(value) => (
            <a href={filteredListPath(projectId, { tags: [`${tag.name}:${value}`] })}>{value || '(empty)'}</a>
          )}
        />
      ))}
    </section>
  );
}

interface TagProps {
  title: string;
  values: TagCount[];
  /** Reports with a value that the server does not list. */
  other: number;
  total: number;
  show: (value: string) => ComponentChildren;
}

function Tag({ title, values, other, total, show }: TagProps) {
  const notShown = values.slice(shownValues).reduce((sum, { count }) => sum + count, other);
  return (
    <div class="tag">
      <h2 dir="auto" title={title}>
        {title}
      </h2>
      <ul>
        {values.slice(0, shownValues).map(({ value, count }) => (
          <Share key={value} count={count} total={total}>
            <span class="value" dir="auto" title={value}>
              {show(value)}
            </span>
          </Share>
        ))}
        {notShown > 0 && (
          <Share count={notShown} total={total}>
            <span class="value soft">Other</span>
          </Share>
        )}
      </ul>
    </div>
  );
}

function Share({ count, total, children }: { count: number; total: number; children: ComponentChildren }) {
  return (
    <li>
      {children}
      <span class="percent" title={countOf(count, 'report')}>
        {Math.round((count / total) * 100)} %
      </span>
      <Bar share={count / total} />
    </li>
  );
}
