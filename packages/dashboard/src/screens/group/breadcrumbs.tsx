import { useSignal } from '@preact/signals';
import type { Breadcrumb, ReportDetails } from '@service/protocol';
import { CodeBlock } from '../../components/code-block.tsx';
import { DefinitionList } from '../../components/definition-list.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { formatExactTime, formatIsoTime } from '../../format/time.ts';
import { Select } from '../../forms/fields.tsx';
import { filterOptions, matchesFilter } from './filter-breadcrumbs.ts';
import { isFailed, summarizeBreadcrumb } from './format-breadcrumb.ts';
import { kindOf } from './kind-of.ts';
import { timeBefore } from './time-before.ts';

const shownCount = 5;

/** The breadcrumbs of a report. Earlier ones, and the data of each, are shown on demand. */
export function Breadcrumbs({ report }: { report: ReportDetails }) {
  const { breadcrumbs, timestamp, received_at: receivedAt } = report;
  const kind = kindOf(report).toLowerCase();
  const isOpen = useSignal(false);
  const chosenFilter = useSignal('');
  if (breadcrumbs.length === 0) return null;
  const options = filterOptions(breadcrumbs);
  // Another report may have no breadcrumb of the chosen type.
  const filter = options.some(([value]) => value === chosenFilter.value) ? chosenFilter.value : '';
  const numbered = breadcrumbs.map((breadcrumb, index) => ({ breadcrumb, index }));
  const matching = numbered.filter(({ breadcrumb }) => matchesFilter(breadcrumb, filter));
  const shown = isOpen.value || filter ? matching : matching.slice(-shownCount);
  const hidden = breadcrumbs.length - shownCount;
  return (
    <section id="breadcrumbs">
      <h2>Breadcrumbs</h2>
      <div class="tools">
        {options.length > 2 && (
          <Select
            label="Filter breadcrumbs"
            value={filter}
            options={options}
            onChoose={(value) => (chosenFilter.value = value)}
          />
        )}
        {hidden > 0 && !filter && (
          <button class="plain small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
            {isOpen.value ? `Show only the last ${shownCount}` : `Show ${hidden} earlier`}
          </button>
        )}
      </div>
      <ol class="breadcrumbs">
        {shown.map(({ breadcrumb, index }) => (
          <li key={index} class={isFailed(breadcrumb) ? 'bad' : ''}>
            <BreadcrumbItem breadcrumb={breadcrumb} at={timestamp ?? receivedAt} />
          </li>
        ))}
        <li class="end">
          <span class="breadcrumb">
            <span class="when">0.0 s</span>
            <b>{kind}</b>
            <span>This {kind}</span>
          </span>
        </li>
      </ol>
    </section>
  );
}

function BreadcrumbItem({ breadcrumb, at }: { breadcrumb: Breadcrumb; at: string }) {
  const { timestamp, category, type, data } = breadcrumb;
  const title = (
    <span class="breadcrumb">
      <time class="when" title={formatExactTime(timestamp)}>
        {timeBefore(timestamp, at)}
      </time>
      <b dir="auto">{category}</b>
      <span dir="auto">{summarizeBreadcrumb(breadcrumb)}</span>
    </span>
  );
  return (
    <Disclosure title={title} class="">
      <DefinitionList
        entries={[
          ['Time', formatExactTime(timestamp)],
          ['UTC', formatIsoTime(timestamp)],
          ['Type', type],
          ['Category', category],
        ]}
      />
      {Object.keys(data).length > 0 && <CodeBlock name="Data of the breadcrumb" text={JSON.stringify(data, null, 2)} />}
    </Disclosure>
  );
}
