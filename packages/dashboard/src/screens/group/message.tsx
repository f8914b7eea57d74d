import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** The message of an error. The end of a long one is shown on demand. */
export function Message({ text }: { text: string }) {
  const isOpen = useSignal(false);
  const isCut = useSignal(false);
  const paragraph = useRef<HTMLParagraphElement | null>(null);
  useEffect(() => {
    const { current } = paragraph;
    if (!current) return;
    // A resize of the window can change whether lines are cut off.
    const observer = new ResizeObserver(() => {
      if (!isOpen.value) isCut.value = current.scrollHeight > current.clientHeight + 1;
    });
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <p ref={paragraph} class={isOpen.value ? 'message' : 'message cut'} dir="auto">
        {text}
      </p>
      {isCut.value && (
        <p>
          <button class="plain small" aria-expanded={isOpen.value} onClick={() => (isOpen.value = !isOpen.value)}>
            {isOpen.value ? 'Show less' : 'Show full message'}
          </button>
        </p>
      )}
    </>
  );
}
