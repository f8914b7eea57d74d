import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a page is made of: a path below its folder, and what is answered there. `index.html` is the page itself. */
export type PageFiles = Record<string, string>;

/** Serves pages of one origin, and the built SDK below `/sdk/`. */
export interface Site {
  origin: string;
  /** Puts a page there and returns its URL. `headers` go with each of its files. */
  add(files: PageFiles, headers?: Record<string, string>): string;
  close(): Promise<void>;
}

const dist = fileURLToPath(new URL('../../packages/browser/dist/', import.meta.url));
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript', '.json': 'application/json' };

/** Listens on a loopback port, which makes it an origin of its own. */
export async function startSite(): Promise<Site> {
  const pages: { files: PageFiles; headers: Record<string, string> }[] = [];
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://site.invalid');
    const [, folder, rest] = /^\/(sdk|\d+)\/(.*)$/.exec(pathname) ?? [];
    if (folder === 'sdk') return void serveSdk(response, rest ?? '');
    const { files = {}, headers = {} } = pages[Number(folder)] ?? {};
    const name = rest || 'index.html';
    send(response, name, files[name], headers);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    add(files, headers = {}) {
      pages.push({ files, headers });
      return `${origin}/${pages.length - 1}/`;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serveSdk(response: ServerResponse, name: string): Promise<void> {
  // What is not built there is not found.
  const text = /^[\w./-]+$/.test(name) ? await readFile(dist + name, 'utf8').catch(() => undefined) : undefined;
  send(response, name, text, {});
}

function send(response: ServerResponse, name: string, text: string | undefined, headers: Record<string, string>): void {
  if (text === undefined) return void response.writeHead(404).end();
  const type = types[extname(name)] ?? 'text/plain';
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers });
  response.end(text);
}
