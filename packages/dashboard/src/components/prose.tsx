import { useLayoutEffect, useRef } from 'preact/hooks';

// Longer texts and the fields of forms stand in the document, and not in the script: they never change, and a browser
// reads HTML sooner than code.
const texts = document.querySelector<HTMLTemplateElement>('#texts')?.content;

/** A text of the document, with its blanks filled. */
export function textOf(id: string, blanks: Record<string, unknown> = {}): string {
  const found = texts?.getElementById(id);
  const written = found?.textContent?.trim() ?? '';
  // Lines mean something only where they would be seen.
  const told = found?.tagName === 'PRE' ? written : written.replace(/\s+/g, ' ');
  return told.replace(/\{(\w+)\}/g, (blank, name: string) =>
    name in blanks ? String(blanks[name] ?? 'unknown') : blank,
  );
}

/** A part of the document as it is, links and all. */
export function Prose({ id }: { id: string }) {
  const place = useRef<HTMLDivElement | null>(null);
  useLayoutEffect(() => place.current?.replaceChildren(copyOf(id)), [id]);
  return <div class="prose" ref={place} />;
}

/** A copy without the id, which two of them must not share. */
export function copyOf(id: string): Element {
  const copied = texts?.getElementById(id)?.cloneNode(true) as Element | undefined;
  copied?.removeAttribute('id');
  return copied ?? document.createElement('p');
}

/** What a part of the document is called in short. */
export const titleOf = (id: string): string => texts?.getElementById(id)?.title ?? '';
