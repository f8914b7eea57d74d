import { html, type Html } from './html.ts';

/** Renders the subset of Markdown that descriptions use: paragraphs, and code between backticks. */
export function renderParagraphs(markdown: string): Html {
  return html`${markdown.split('\n\n').map((paragraph) => html`<p>${renderInline(paragraph)}</p>`)}`;
}

/** Renders one line: code between backticks. */
export function renderInline(markdown: string): Html {
  const parts = markdown.split('`');
  return html`${parts.map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`;
}
