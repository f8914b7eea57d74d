import { useSignal } from '@preact/signals';
import { copyText } from './copy-text.ts';
import { runWithToast } from './toast.tsx';

const copiedMs = 1_500;

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
