import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** The message of an error. The end of a long one is shown on demand. */
export function Message({ text }: { text: string }) {
  const isOpen = useSignal(false);
  const isClamped = useSignal(false);
  const paragraph = useRef<HTMLParagraphElement | null>(null);
  useEffect(() => {
    const { current } = paragraph;
    if (!current) return;
    // A resize of the window can change whether lines are cut off.
    const observer = new ResizeObserver(() => {
      if (!isOpen.value) isClamped.value = current.scrollHeight > current.clientHeight + 1;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <p ref={paragraph} class={isOpen.value ? 'message' : 'message line-clamp'} dir="auto">
        {text}
      </p>
      {isClamped.value && (
        <p>
          <button class="plain small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
            {isOpen.value ? 'Show less' : 'Show full message'}
          </button>
        </p>
      )}
    </>
  );
}
