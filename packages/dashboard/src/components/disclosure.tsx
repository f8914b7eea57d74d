import type { ComponentChildren } from 'preact';
import { address } from '../router/address.ts';
import { useSignal } from '@preact/signals';

interface FoldProps {
  title: ComponentChildren;
  children: ComponentChildren;
  /** By which an address opens it. */
  id?: string;
  isOpen?: boolean;
  class?: string;
}

/** What is opened by whoever wants it, and is not made before. */
export function Fold({ title, children, id, isOpen: given = false, class: name = 'fold' }: FoldProps) {
  const isOpen = useSignal(given || (!!id && address.value.hash === `#${id}`));
  return (
    <details class={name} id={id} open={isOpen.value} onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen.value && children}
    </details>
  );
}
