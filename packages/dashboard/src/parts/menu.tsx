import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';

/** Choices behind a button. It closes when one is taken, on Escape, and when the focus goes elsewhere. */
export function Menu({ label, children, id }: { label: ComponentChildren; children: ComponentChildren; id?: string }) {
  const details = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const close = (event: Event): void => {
      const { current } = details;
      if (!current?.open) return;
      if (event instanceof KeyboardEvent) {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        current.querySelector('summary')?.focus();
      } else if (event.target instanceof Node && current.contains(event.target)) return;
      current.open = false;
    };
    addEventListener('keydown', close, true);
    addEventListener('click', close);
    addEventListener('focusin', close);
    return () => {
      removeEventListener('keydown', close, true);
      removeEventListener('click', close);
      removeEventListener('focusin', close);
    };
  }, []);
  return (
    <details class="menu" ref={details} id={id}>
      <summary class="button">{label}</summary>
      <div
        class="choices"
        onClick={() => {
          if (details.current) details.current.open = false;
        }}
      >
        {children}
      </div>
    </details>
  );
}
