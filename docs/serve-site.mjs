import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** The folder of the built site. */
export const built = fileURLToPath(new URL('.vitepress/dist', import.meta.url));
/** @type {Record<string, string>} */
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
};

/** Serves the built site as a static host does: compressed, and `/start` as `start.html`. */
export async function serveSite() {
  let sentBytes = 0;
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const file = pathname.endsWith('/') ? `${pathname}index.html` : extname(pathname) ? pathname : `${pathname}.html`;
    const body = await readFile(join(built, file)).catch(() => null);
    if (body === null) return response.writeHead(404).end();
    response.writeHead(200, { 'content-type': types[extname(file)] ?? 'text/plain', 'content-encoding': 'gzip' });
    const sent = gzipSync(body);
    sentBytes += sent.length;
    response.end(sent);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(null)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    /** Returns the number of bytes in all bodies so far. */
    sentBytes: () => sentBytes,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
