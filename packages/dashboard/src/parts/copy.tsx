import { useSignal } from '@preact/signals';
import { say } from './notice.tsx';

/** Copies a text. On pages that came over plain http from another machine browsers know only the old way. */
export async function copy(text: string): Promise<void> {
  if (navigator.clipboard) {
    try {
      return await navigator.clipboard.writeText(text);
    } catch {
      // The page may not, or has not the focus: the old way asks nobody.
    }
  }
  const field = document.createElement('textarea');
  field.value = text;
  document.body.append(field);
  field.select();
  const isCopied = document.execCommand('copy');
  field.remove();
  if (!isCopied) throw new Error('The browser does not let this page copy.');
}

/** Copies, and says so. */
export async function copyAnd(say_: string, text: string): Promise<void> {
  try {
    await copy(text);
    say(say_);
  } catch (error) {
    say((error as Error).message, true);
  }
}

/** A button that copies, and says for a moment that it has. */
export function CopyButton({ text, label = 'Copy', name }: { text: string; label?: string; name?: string }) {
  const isDone = useSignal(false);
  return (
    <button
      type="button"
      class="small"
      aria-label={name && `${label} ${name}`}
      onClick={async () => {
        try {
          await copy(text);
          isDone.value = true;
          setTimeout(() => (isDone.value = false), 1_500);
        } catch (error) {
          say((error as Error).message, true);
        }
      }}
    >
      {isDone.value ? 'Copied' : label}
    </button>
  );
}

/** Code that is there to be taken along. */
export function Snippet({ text, name }: { text: string; name: string }) {
  return (
    <div class="snippet">
      <pre tabIndex={0} aria-label={name}>
        {text}
      </pre>
      <CopyButton text={text} name={name} />
    </div>
  );
}
