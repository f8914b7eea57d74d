import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { address } from '../router/address.ts';

interface DisclosureProps {
  title: ComponentChildren;
  children: ComponentChildren;
  /** The section is open at first if the address has this id as its fragment. */
  id?: string;
  isOpen?: boolean;
  class?: string;
}

/** A section that the user opens. Its content is rendered, and loaded, only while it is open. */
export function Disclosure({
  title,
  children,
  id,
  isOpen: initial = false,
  class: className = 'fold',
}: DisclosureProps) {
  const isOpen = useSignal(initial || (!!id && address.value.hash === `#${id}`));
  return (
    <details
      class={className}
      id={id}
      open={isOpen.value}
      onToggle={(event) => (isOpen.value = event.currentTarget.open)}
    >
      <summary>{title}</summary>
      {isOpen.value && children}
    </details>
  );
}
