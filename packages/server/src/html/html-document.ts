import { html, type Html } from './html.ts';

/**
 * Renders a complete HTML document without scripts.
 * @param style the path of the page's own stylesheet, which is loaded after the shared one
 */
export function htmlDocument(title: string, style: string, body: Html): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <link rel="icon" href="/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="/tokens.css" />
        <link rel="stylesheet" href="${style}" />
      </head>
      <body>
        ${body}
      </body>
    </html> `.text;
}
