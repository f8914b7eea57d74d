import type { ComponentChildren } from 'preact';

/** Preformatted text that can also be scrolled by keyboard. */
export function CodeBlock({ text, name, class: className }: { text: ComponentChildren; name: string; class?: string }) {
  return (
    <pre class={className} tabIndex={0} role="region" aria-label={name}>
      {text}
    </pre>
  );
}
