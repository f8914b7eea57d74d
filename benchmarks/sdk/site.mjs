import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';

const folder = join(import.meta.dirname, 'page');
const scripts = new Set(['quiet.js', 'shop.js', 'shapes.js']);

/**
 * Serves the page for all measurements: `/` without a product, `/?with=NAME` with one from the start.
 *
 * @param {ReadonlyMap<string, string>} bundles script by name
 */
export async function openSite(bundles) {
  const html = readFileSync(join(folder, 'index.html'), 'utf8');
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://site');
    // Isolated from other origins, so that the page's clock has a resolution of 5 µs.
    response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    response.setHeader('Cross-Origin-Embedder-Policy', 'require-corp');
    response.setHeader('Cache-Control', 'no-store');
    const name = searchParams.get('with');
    const script = pathname.slice(1);
    if (pathname === '/') {
      const tag = name ? `<script src="/with/${name}.js"></script>` : '';
      response.setHeader('Content-Type', 'text/html').end(html.replace('<!-- sdk -->', tag));
    } else if (scripts.has(script)) {
      response.setHeader('Content-Type', 'text/javascript').end(readFileSync(join(folder, script)));
    } else {
      const bundle = bundles.get(script);
      if (bundle === undefined) response.writeHead(404).end();
      else response.setHeader('Content-Type', 'text/javascript; charset=utf-8').end(bundle);
    }
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: new URL(`http://127.0.0.1:${port}/`),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
