import { useEffect, useRef } from 'preact/hooks';
import { useSignal } from '@preact/signals';

/** The message of the error. A long one shows its first lines, and all of it on demand. */
export function Message({ text }: { text: string }) {
  const isOpen = useSignal(false);
  const isLong = useSignal(false);
  const place = useRef<HTMLParagraphElement | null>(null);
  useEffect(() => {
    const { current } = place;
    if (!current) return;
    // Whether lines are cut depends on the width, too.
    const observer = new ResizeObserver(() => {
      if (!isOpen.value) isLong.value = current.scrollHeight > current.clientHeight + 1;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <p ref={place} class={isOpen.value ? 'message' : 'message cut'} dir="auto">
        {text}
      </p>
      {isLong.value && (
        <p>
          <button class="plain small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
            {isOpen.value ? 'Show less' : 'Show all of the message'}
          </button>
        </p>
      )}
    </>
  );
}
