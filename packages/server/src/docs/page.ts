import { html, type Html } from './html.ts';

/** A page of the documentation, whole. It has no script, and its style is a file of its own. */
export function page(title: string, current: 'api' | 'problems', contents: Html, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/docs.css" />
      </head>
      <body>
        <header>
          <a class="home" href="/">Errors</a>
          <nav aria-label="Documentation">
            ${entry('/docs/api', 'API', current === 'api')}
            ${entry('/docs/problems', 'Problems', current === 'problems')}
            <a href="/api/v1/openapi.json">openapi.json</a>
          </nav>
        </header>
        <div class="columns">
          <nav class="contents" aria-label="On this page">${contents}</nav>
          <main>${body}</main>
        </div>
      </body>
    </html> `.text;
}

function entry(path: string, name: string, isCurrent: boolean): Html {
  return isCurrent ? html`<a href="${path}" aria-current="page">${name}</a>` : html`<a href="${path}">${name}</a>`;
}
