import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { runWithToast } from './toast.tsx';

const copiedMs = 1_500;

/** Copies a text to the clipboard, which browsers allow only on https and on localhost. */
export function copyText(text: string): Promise<void> {
  if (!navigator.clipboard) throw new Error('Copying works only over https. Select the text and copy it instead.');
  return navigator.clipboard.writeText(text);
}

/** A button that copies a text and confirms it for a moment. */
export function CopyButton({ text, label = 'Copy', name }: { text: string; label?: string; name?: string }) {
  const isCopied = useSignal(false);
  return (
    <button
      class="small"
      aria-label={name && `${label} ${name}`}
      onClick={() =>
        runWithToast(async () => {
          await copyText(text);
          isCopied.value = true;
          setTimeout(() => (isCopied.value = false), copiedMs);
        })
      }
    >
      {isCopied.value ? 'Copied' : label}
    </button>
  );
}

/** Preformatted text that can also be scrolled by keyboard. */
export function CodeBlock({ text, name, class: className }: { text: ComponentChildren; name: string; class?: string }) {
  return (
    <pre class={className} tabIndex={0} role="region" aria-label={name}>
      {text}
    </pre>
  );
}

/** A code block with a button that copies it. */
export function Snippet({ text, name }: { text: string; name: string }) {
  return (
    <div class="snippet">
      <CodeBlock text={text} name={name} />
      <CopyButton text={text} name={name} />
    </div>
  );
}
