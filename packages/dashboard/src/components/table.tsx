import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { copyOf } from './prose.tsx';

interface TableProps {
  /** Id of the table in the document that has the headings. */
  heads: string;
  children: ComponentChildren;
  class?: string;
}

export function Table({ heads, children, class: name }: TableProps) {
  const head = useRef<HTMLTableSectionElement | null>(null);
  useLayoutEffect(() => head.current?.replaceChildren(...copyOf(heads).querySelectorAll('tr')), [heads]);
  return (
    <table class={name}>
      <thead ref={head} />
      <tbody>{children}</tbody>
    </table>
  );
}
