import type { GroupDetails, TagCount } from '@service/protocol';
import { Bar } from '../../components/charts.tsx';
import { SafeLink } from '../../components/safe-link.tsx';

const titles = {
  environment: 'Environment',
  browser: 'Browser',
  os: 'System',
  release: 'Release',
  url: 'Page',
} as const;
const shownOfEach = 5;

/** How wide it goes: what the reports have in common, as bars. */
export function Tags({ group: { tags, count } }: { group: GroupDetails }) {
  const names = Object.keys(titles) as (keyof typeof titles)[];
  const known = names.filter((name) => (tags[name]?.length ?? 0) > 0);
  if (known.length === 0) return null;
  return (
    <section class="tags" aria-label="Where it happens">
      {known.map((name) => (
        <Tag key={name} title={titles[name]} values={tags[name] ?? []} count={count} isUrl={name === 'url'} />
      ))}
    </section>
  );
}

function Tag({ title, values, count, isUrl }: { title: string; values: TagCount[]; count: number; isUrl: boolean }) {
  return (
    <div class="tag">
      <h2>{title}</h2>
      <ul>
        {values.slice(0, shownOfEach).map(({ value, count: times }) => (
          <li key={value}>
            <span class="value" dir="auto" title={value}>
              {isUrl ? <SafeLink url={value}>{value.replace(/^https?:\/\//, '')}</SafeLink> : value}
            </span>
            <span class="percent" title={`${times.toLocaleString()} reports`}>
              {Math.round((times / count) * 100)} %
            </span>
            <Bar share={times / count} />
          </li>
        ))}
      </ul>
    </div>
  );
}
