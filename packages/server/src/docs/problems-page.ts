import { problems, type ProblemCode } from '@service/protocol';
import { operations, problemsOf, problemTexts } from '@service/protocol/operations';
import { html, inline, joined, type Html } from './html.ts';
import { problemExample } from './openapi.ts';
import { page } from './page.ts';

/** What each problem means and what to do about it: `type` of an error answer points here. */
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
  const body = html`<h1>Problems</h1>
    <p class="lead">
      Every error answer has the same body. Programs go by its <code>code</code>, people by <code>detail</code>, and
      <code>request_id</code> finds it in the log of the server.
    </p>
    ${statuses.flatMap(ofStatus).map(article)}`;
  return page('Problems', 'problems', contents, body);
}

function article(code: ProblemCode): Html {
  const { status, title } = problems[code];
  const { meaning, remedy } = problemTexts[code];
  const askers = operations.filter((operation) => problemsOf(operation).includes(code));
  return html`<article id="${code}">
    <div class="text">
      <h3><a href="#${code}">${code}</a></h3>
      <p class="call"><b class="method">${status}</b> ${title}</p>
      <p>${inline(meaning)}</p>
      <p class="remedy"><b>What to do.</b> ${inline(remedy)}</p>
      ${askers.length > 0 && askers.length <= 8 && html`<p class="who">Answered by ${listOf(askers)}.</p>`}
    </div>
    <div class="example">
      <pre tabindex="0"><code>${JSON.stringify(problemExample(code), null, 2)}</code></pre>
    </div>
  </article>`;
}

function listOf(askers: readonly { id: string; summary: string }[]): Html {
  return joined(
    askers.map(({ id, summary }) => html`<a href="/docs/api#${id}">${summary}</a>`),
    ', ',
  );
}
