import type { ComponentChildren } from 'preact';
import { CodeBlock } from './code-block.tsx';
import { DateTime } from './time.tsx';

/**
 * Renders the Markdown that explanations use: headings, paragraphs, list items, bold text, code and times. A model may
 * have written it from untrusted reports, so links, images and HTML are shown as text.
 */
export function Markdown({ text }: { text: string }) {
  // Every second part is between two code fences.
  const parts = text.split(/^```.*$/m);
  return (
    <div class="markdown">
      {parts.map((part, index) =>
        index % 2 === 1 ? <CodeBlock key={index} name="Code" text={part.trim()} /> : part.split('\n').map(renderLine),
      )}
    </div>
  );
}

function renderLine(text: string, index: number): ComponentChildren {
  const [mark = ''] = /^(?:#{1,6} |\s*(?:[-*+]|\d+[.)]) )/.exec(text) ?? [];
  if (text.trim() === '') return null;
  if (!mark && text.startsWith('    ')) return <CodeBlock key={index} name="Code" text={text.trim()} />;
  const content = renderInline(text.slice(mark.length));
  if (mark.startsWith('#')) return <h3 key={index}>{content}</h3>;
  return (
    <p key={index} class={mark && 'item'}>
      {mark && <i>{mark.replace(/[-*+]/, '•')}</i>}
      {content}
    </p>
  );
}

function renderInline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*|\b\d{4}-\d\d-\d\dT[\d:.]+Z)/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    if (piece.endsWith('Z')) return <DateTime key={index} at={piece} time="medium" />;
    return piece.startsWith('`') ? (
      <code key={index}>{piece.slice(1, -1)}</code>
    ) : (
      <b key={index}>{piece.slice(2, -2)}</b>
    );
  });
}
