import type { ComponentChildren } from 'preact';
import { Pre } from './copy.tsx';
import { At } from './time.tsx';

/**
 * Markdown as far as explanations use it: headings, paragraphs, items of lists, code, times. It comes from a model that has read
 * what a stranger wrote, so all of it is text: there are no links, no images and no HTML.
 */
export function Markdown({ text }: { text: string }) {
  // Between two fences stands code.
  const parts = text.split(/^```.*$/m);
  return (
    <div class="markdown">
      {parts.map((part, index) =>
        index % 2 === 1 ? <Pre key={index} name="Code" text={part.trim()} /> : part.split('\n').map(line),
      )}
    </div>
  );
}

function line(text: string, index: number): ComponentChildren {
  const [mark = ''] = /^(?:#{1,6} |\s*(?:[-*+]|\d+[.)]) )/.exec(text) ?? [];
  const told = inline(text.slice(mark.length));
  if (text.trim() === '') return null;
  if (!mark && text.startsWith('    ')) return <Pre key={index} name="Code" text={text.trim()} />;
  if (mark.startsWith('#')) return <h3 key={index}>{told}</h3>;
  return (
    <p key={index} class={mark && 'item'}>
      {mark && <i>{mark.replace(/[-*+]/, '•')}</i>}
      {told}
    </p>
  );
}

function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\b\d{4}-\d\d-\d\dT[\d:.]+Z)/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    if (piece.endsWith('Z')) return <At key={index} at={piece} time="medium" />;
    return piece.startsWith('`') ? (
      <code key={index}>{piece.slice(1, -1)}</code>
    ) : (
      <b key={index}>{piece.slice(2, -2)}</b>
    );
  });
}
