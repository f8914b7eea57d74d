import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';

const collector = readFileSync(join(import.meta.dirname, '../page/collect.js'), 'utf8');

/** The port is part of every captured stack, so it is always the same. */
const port = 4600;

/**
 * Serves one build of an app at a time, and responds to the app's requests.
 *
 * @param {string} app its name
 * @returns {Promise<{ url: string, show(files: import('./build-release.mjs').Built): void, close(): Promise<void> }>}
 */
export async function openSite(app) {
  /** @type {import('./build-release.mjs').Built} */
  let shown = new Map();
  const server = createServer(({ url = '' }, response) => {
    const { pathname } = new URL(url, 'http://site.invalid');
    /** @type {(status: number, type: string, text: string) => void} */
    const send = (status, type, text) => {
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store' }).end(text);
    };
    const file = shown.get(pathname.slice(1));
    if (file !== undefined) send(200, 'text/javascript', file);
    else if (pathname.startsWith('/api/fail/')) send(503, 'text/plain', 'Service Unavailable');
    else if (pathname.startsWith('/api/status/')) response.writeHead(Number(pathname.split('/')[3])).end();
    else if (pathname.startsWith('/api/json/')) send(200, 'application/json', '{"rows":[{}]}');
    // Never answered, so that the client's time-out fires.
    else if (pathname.startsWith('/api/slow')) response.writeHead(200, { 'content-type': 'text/plain' });
    else if (pathname === '/collect.js') send(200, 'text/javascript', collector);
    else if (/\.(ico|map|[mc]?[jt]sx?)$/.test(pathname)) send(404, 'text/plain', 'Not Found');
    else send(200, 'text/html', pageHtml(app, shown));
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${port}/${app}`,
    show(files) {
      shown = files;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/**
 * @param {string} app
 * @param {import('./build-release.mjs').Built} files
 */
function pageHtml(app, files) {
  const find = (/** @type {RegExp} */ pattern) => [...files.keys()].find((path) => pattern.test(path));
  const main = find(/^(assets\/main.*\.js|src\/main\.tsx)$/);
  const worker = find(/^(assets\/|src\/worker\/)tide-worker.*\.(js|ts)$/);
  const imports = JSON.stringify({ imports: importsOf(files) });
  return `<!doctype html>
<meta charset="utf-8">
<title>${app}</title>
<script src="/collect.js"></script>
<script>self.workerUrl = '/${worker}';</script>
<script type="importmap">${imports}</script>
<style>button { font-size: 6px; }</style>
<div id="app"></div>
<script type="module" src="/${main}"></script>
`;
}

/**
 * Resolves the names of packages, like a development server.
 *
 * @param {import('./build-release.mjs').Built} files
 */
function importsOf(files) {
  const candidates = {
    preact: ['preact/dist/preact.mjs'],
    'preact/hooks': ['preact/hooks/dist/hooks.mjs'],
    'preact/jsx-runtime': ['preact/jsx-runtime/dist/jsxRuntime.mjs'],
    zod: ['zod/lib/index.mjs', 'zod/index.js'],
  };
  const found = Object.entries(candidates).map(([name, paths]) => [
    name,
    `/node_modules/${paths.find((path) => files.has(`node_modules/${path}`))}`,
  ]);
  return Object.fromEntries(found);
}
