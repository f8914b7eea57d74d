import { html, type Html } from '../html/html.ts';
import { htmlDocument } from '../html/html-document.ts';

/** Renders a documentation page with its navigation. */
export function docsPage(title: string, current: 'api' | 'problems' | 'packages', contents: Html, body: Html): string {
  return htmlDocument(
    title,
    '/docs.css',
    html`<header>
        <a class="home" href="/">Service</a>
        <nav aria-label="Documentation">
          ${entry('/docs/api', 'API', current === 'api')} ${entry('/docs/problems', 'Errors', current === 'problems')}
          ${entry('/packages', 'Packages', current === 'packages')}
          <a href="/api/v1/openapi.json">openapi.json</a>
        </nav>
      </header>
      <div class="columns">
        <nav class="contents" aria-label="On this page">${contents}</nav>
        <main>${body}</main>
      </div>`,
  );
}

function entry(path: string, name: string, isCurrent: boolean): Html {
  return isCurrent ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`;
}
