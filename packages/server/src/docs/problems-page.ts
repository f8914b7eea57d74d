import { problems, type ProblemCode } from '@service/protocol';
import { operations, problemsOf, problemTexts } from '@service/protocol/operations';
import { html, joinHtml, type Html } from '../html/html.ts';
import { renderInline } from '../html/markdown.ts';
import { problemExample } from './openapi.ts';
import { docsPage } from './docs-page.ts';

/** Renders the reference of all error codes. The `type` of every error response links to it. */
export function problemsPage(): string {
  const codes = Object.keys(problems) as ProblemCode[];
  const statuses = [...new Set(codes.map((code) => problems[code].status))].toSorted((a, b) => a - b);
  const ofStatus = (status: number): ProblemCode[] => codes.filter((code) => problems[code].status === status);
  const contents = html`${statuses.map(
    (status) =>
      html`<p>${status}</p>
        <ul>
          ${ofStatus(status).map((code) => html`<li><a href="#${code}">${code}</a></li>`)}
        </ul>`,
  )}`;
  const body = html`<h1>Errors</h1>
    <p class="lead">
      Every error response has the same body. Programs use its <code>code</code>; <code>detail</code> is for people.
      Search the server log for the <code>request_id</code>.
    </p>
    ${statuses.flatMap(ofStatus).map(problemArticle)}`;
  return docsPage('Errors', 'problems', contents, body);
}

function problemArticle(code: ProblemCode): Html {
  const { status, title } = problems[code];
  const { meaning, remedy } = problemTexts[code];
  const sources = operations.filter((operation) => problemsOf(operation).includes(code));
  return html`<article id="${code}">
    <div class="text">
      <h3><a href="#${code}">${code}</a></h3>
      <p class="signature"><b class="method">${status}</b> ${title}</p>
      <p>${renderInline(meaning)}</p>
      <p class="remedy"><b>How to fix it.</b> ${renderInline(remedy)}</p>
      ${sources.length > 0 && sources.length <= 8 && html`<p class="note">Returned by: ${linksTo(sources)}.</p>`}
    </div>
    <div class="example">
      <pre tabindex="0"><code>${JSON.stringify(problemExample(code), null, 2)}</code></pre>
    </div>
  </article>`;
}

function linksTo(sources: readonly { id: string; summary: string }[]): Html {
  return joinHtml(
    sources.map(({ id, summary }) => html`<a href="/docs/api#${id}">${summary}</a>`),
    ', ',
  );
}
