import type { ComponentChildren } from 'preact';
import { useSignal } from '@preact/signals';
import { attempt } from './toast.tsx';
import { textOf } from './prose.tsx';

/** Copies a text. Browsers let only pages do so that came by https, or from one's own machine. */
export function copy(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error(textOf('no-clipboard'));
  return navigator.clipboard.writeText(text);
}

/** A button that copies, and says for a moment that it has. */
export function CopyButton({ text, label = 'Copy', name }: { text: string; label?: string; name?: string }) {
  const isDone = useSignal(false);
  return (
    <button
      class="small"
      aria-label={name && `${label} ${name}`}
      onClick={() =>
        attempt(async () => {
          await copy(text);
          isDone.value = true;
          setTimeout(() => (isDone.value = false), 1_500);
        })
      }
    >
      {isDone.value ? 'Copied' : label}
    </button>
  );
}

/** Text as it is; it can be scrolled by keyboard, too. */
export function Pre({ text, name, class: look }: { text: ComponentChildren; name: string; class?: string }) {
  return (
    <pre class={look} tabIndex={0} role="region" aria-label={name}>
      {text}
    </pre>
  );
}

/** Code that is there to be taken along. */
export function Snippet({ text, name }: { text: string; name: string }) {
  return (
    <div class="snippet">
      <Pre text={text} name={name} />
      <CopyButton text={text} name={name} />
    </div>
  );
}
