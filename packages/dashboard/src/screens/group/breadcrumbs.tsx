import { useSignal } from '@preact/signals';
import type { Breadcrumb } from '@service/protocol';
import { Pre } from '../../components/copy.tsx';
import { Fold } from '../../components/disclosure.tsx';
import { Select } from '../../components/form.tsx';
import { Lines } from '../../components/definition-list.tsx';
import { exactTime, utcTime } from '../../components/time.tsx';
import { filterChoices, matchesChoice } from './filter-breadcrumbs.ts';
import { isBad, summarizeCrumb } from './format-breadcrumb.ts';
import { timeBefore } from './time-before.ts';

const shownAtFirst = 5;

/** What happened before the error. The last steps show at once, earlier ones and the details of each on demand. */
export function Breadcrumbs({ breadcrumbs, at }: { breadcrumbs: readonly Breadcrumb[]; at: string }) {
  const isOpen = useSignal(false);
  const choice = useSignal('');
  if (breadcrumbs.length === 0) return null;
  const choices = filterChoices(breadcrumbs);
  // Another report may have no step of the chosen kind.
  const chosen = choices.some(([value]) => value === choice.value) ? choice.value : '';
  const numbered = breadcrumbs.map((crumb, index) => ({ crumb, index }));
  const matching = numbered.filter(({ crumb }) => matchesChoice(crumb, chosen));
  const shown = isOpen.value || chosen ? matching : matching.slice(-shownAtFirst);
  const hidden = breadcrumbs.length - shownAtFirst;
  return (
    <section id="breadcrumbs">
      <h2>What happened before</h2>
      <div class="tools">
        {choices.length > 2 && (
          <Select
            label="Steps that are shown"
            value={chosen}
            options={choices}
            choose={(value) => (choice.value = value)}
          />
        )}
        {hidden > 0 && !chosen && (
          <button class="plain small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
            {isOpen.value ? 'Only the last five' : `Show ${hidden} earlier`}
          </button>
        )}
      </div>
      <ol class="crumbs">
        {shown.map(({ crumb, index }) => (
          <li key={index} class={isBad(crumb) ? 'bad' : ''}>
            <Crumb crumb={crumb} at={at} />
          </li>
        ))}
        <li class="end">
          <span class="crumb">
            <span class="when">0.0 s</span>
            <b>error</b>
            <span>This error</span>
          </span>
        </li>
      </ol>
    </section>
  );
}

function Crumb({ crumb, at }: { crumb: Breadcrumb; at: string }) {
  const { timestamp, category, type, data } = crumb;
  const title = (
    <span class="crumb">
      <time class="when" title={exactTime(timestamp)}>
        {timeBefore(timestamp, at)}
      </time>
      <b dir="auto">{category}</b>
      <span dir="auto">{summarizeCrumb(crumb)}</span>
    </span>
  );
  return (
    <Fold title={title} class="">
      <Lines
        of={[
          ['Time', exactTime(timestamp)],
          ['UTC', utcTime(timestamp)],
          ['Type', type],
          ['Category', category],
        ]}
      />
      {Object.keys(data).length > 0 && <Pre name="Data of the step" text={JSON.stringify(data, null, 2)} />}
    </Fold>
  );
}
