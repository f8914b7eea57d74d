import type { ComponentChildren } from 'preact';

/** Names with what they stand for; of what there is nothing of, there is no line. */
export function Lines({
  of,
  class: name = 'lines',
}: {
  of: [name: string, value: ComponentChildren][];
  class?: string;
}) {
  return (
    <dl class={name}>
      {of.map(
        ([term, value]) =>
          value && (
            <div key={term}>
              <dt>{term}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}
