import type { Problem } from '@service/protocol';
import { html } from '../html/html.ts';
import { htmlDocument } from '../html/html-document.ts';

/** Renders an error response as an HTML page. Of the request, it repeats only a valid `X-Request-Id`. */
export function problemPage({ title, detail, request_id }: Problem): string {
  return htmlDocument(
    title,
    '/checkout.css',
    html`<main>
      <h1>${title}</h1>
      <p>${detail}</p>
      <p><a href="/">Go to the dashboard</a></p>
      <p><small>Request ${request_id}</small></p>
    </main>`,
  );
}
