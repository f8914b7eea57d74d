import type { ComponentChildren } from 'preact';

interface DefinitionListProps {
  entries: [term: string, value: ComponentChildren][];
  class?: string;
}

/** Terms with their values. An entry without a value is left out. */
export function DefinitionList({ entries, class: className = 'lines' }: DefinitionListProps) {
  return (
    <dl class={className}>
      {entries.map(
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
