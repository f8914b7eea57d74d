import type { ComponentChildren } from 'preact';

/**
 * Markdown as far as explanations use it: headings, paragraphs, lists, code. It comes from a model that has read what a
 * stranger wrote, so all of it is text: there are no links, no images and no HTML.
 */
export function Markdown({ text }: { text: string }) {
  return <div class="markdown">{blocks(text)}</div>;
}

function blocks(text: string): ComponentChildren[] {
  const lines = text.split('\n');
  const made: ComponentChildren[] = [];
  let at = 0;
  const takeWhile = (test: (line: string) => boolean): string[] => {
    const from = at;
    while (at < lines.length && test(lines[at] ?? '')) at++;
    return lines.slice(from, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? '';
    const key = at;
    if (line.startsWith('```')) {
      at++;
      const code = takeWhile((next) => !next.startsWith('```'));
      at++;
      made.push(
        <pre key={key} tabIndex={0} role="region" aria-label="Code">
          {code.join('\n')}
        </pre>,
      );
    } else if (/^#{1,6} /.test(line)) {
      at++;
      made.push(<h3 key={key}>{inline(line.replace(/^#+ /, ''))}</h3>);
    } else if (listItem.test(line)) {
      const isOrdered = /^\s*\d/.test(line);
      const items = takeWhile((next) => listItem.test(next)).map((item, index) => (
        <li key={index}>{inline(item.replace(listItem, ''))}</li>
      ));
      made.push(isOrdered ? <ol key={key}>{items}</ol> : <ul key={key}>{items}</ul>);
    } else if (line.trim() === '') at++;
    else {
      at++;
      const rest = takeWhile((next) => next.trim() !== '' && !/^(#{1,6} |```)/.test(next) && !listItem.test(next));
      made.push(<p key={key}>{inline([line, ...rest].join(' '))}</p>);
    }
  }
  return made;
}

const listItem = /^\s*(?:[-*+]|\d{1,3}[.)]) /;

function inline(text: string): ComponentChildren[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((piece, index) => {
    if (index % 2 === 0) return piece;
    return piece.startsWith('`') ? (
      <code key={index}>{piece.slice(1, -1)}</code>
    ) : (
      <b key={index}>{piece.slice(2, -2)}</b>
    );
  });
}
