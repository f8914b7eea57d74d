import type { GroupDetails, TagCount } from '@service/protocol';
import { Bar } from '../../components/charts.tsx';
import { SafeLink } from '../../components/safe-link.tsx';
import { countOf } from '../../format/count.ts';

const titles = {
  environment: 'Environment',
  browser: 'Browser',
  os: 'Operating system',
  release: 'Release',
  url: 'URL',
} as const;
const shownValues = 5;

/** The most frequent values of each tag, with their shares as bars. */
export function Tags({ group: { tags, count } }: { group: GroupDetails }) {
  const names = Object.keys(titles) as (keyof typeof titles)[];
  const used = names.filter((name) => (tags[name]?.length ?? 0) > 0);
  if (used.length === 0) return null;
  return (
    <section class="tags" aria-label="Tags">
      {used.map((name) => (
        <Tag key={name} title={titles[name]} values={tags[name] ?? []} total={count} isUrl={name === 'url'} />
      ))}
    </section>
  );
}

function Tag({ title, values, total, isUrl }: { title: string; values: TagCount[]; total: number; isUrl: boolean }) {
  return (
    <div class="tag">
      <h2>{title}</h2>
      <ul>
        {values.slice(0, shownValues).map(({ value, count }) => (
          <li key={value}>
            <span class="value" dir="auto" title={value}>
              {isUrl ? <SafeLink url={value}>{value.replace(/^https?:\/\//, '')}</SafeLink> : value}
            </span>
            <span class="percent" title={countOf(count, 'report')}>
              {Math.round((count / total) * 100)} %
            </span>
            <Bar share={count / total} />
          </li>
        ))}
      </ul>
    </div>
  );
}
