import type { ClientPackage } from '../package-files/client-packages.ts';
import { html, type Html } from '../html/html.ts';
import { docsPage } from './docs-page.ts';

/** Renders the page of the packages that apps install from this server. */
export function packagesPage(packages: readonly ClientPackage[], baseUrl: string): string {
  const contents = html`<ul>
    ${packages.map(({ name }) => html`<li><a href="#${name}">${name}</a></li>`)}
  </ul>`;
  const body = html`<h1>Packages</h1>
    <p class="lead">
      The client packages for this version of the server. A short name always serves the current version. A name with a
      version and a hash always serves the same content, also after an update of a server whose storage is a folder.
      Install that name, because <code>npm ci</code> fails when the content of a short name changes.
    </p>
    ${packages.length === 0 && html`<p>The packages are not built. Run <code>pnpm build</code>.</p>`}
    ${packages.map((one) => packageArticle(one, baseUrl))}`;
  return docsPage('Packages', 'packages', contents, body);
}

function packageArticle({ name, version, description, files }: ClientPackage, baseUrl: string): Html {
  const script = files.find((file) => file.name.endsWith('.iife.js'));
  const url = (file: string): string => `${baseUrl}/packages/${file}`;
  return html`<article id="${name}">
    <div class="text">
      <h3><a href="#${name}">${name}</a></h3>
      <p class="signature"><b class="method">${version}</b> ${description}</p>
      <ul>
        ${files.map(
          ({ name: file, pinned_name, bytes, integrity }) =>
            html`<li>
              <a href="/packages/${file}">${file}</a>, ${bytes.toLocaleString('en')} bytes, also as
              <a href="/packages/${pinned_name}">${pinned_name}</a><br /><code>${integrity}</code>
            </li>`,
        )}
      </ul>
    </div>
    <div class="example">
      <pre tabindex="0"><code>npm install ${url(files[0]?.pinned_name ?? '')}</code></pre>
      ${
        script &&
        html`<pre tabindex="0"><code>${`<script
  src="${url(script.pinned_name)}"
  integrity="${script.integrity}"
  crossorigin="anonymous"></script>`}</code></pre>`
      }
    </div>
  </article>`;
}
