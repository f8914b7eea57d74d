/** HTML that was made here, as opposed to text. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | false | null | undefined | readonly Part[];

/** A piece of HTML. What is put into it is text, and shown as text, unless it is HTML itself. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.reduce((text, string, index) => text + rendered(parts[index - 1]) + string));
}

/** Pieces, one behind the other, with a text between them. */
export function joined(pieces: readonly Html[], between: string): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : html`${between}${piece}`))}`;
}

/** Paragraphs, with `code` between backticks: all the Markdown that descriptions have. */
export function paragraphs(markdown: string): Html {
  return html`${markdown.split('\n\n').map((paragraph) => html`<p>${inline(paragraph)}</p>`)}`;
}

export function inline(markdown: string): Html {
  const parts = markdown.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}

function rendered(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return part.map(rendered).join('');
  if (typeof part === 'string' || typeof part === 'number') return escaped(String(part));
  return '';
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? '');
}
