import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files of a page: their content by path below its folder. `index.html` is the page. */
export type PageFiles = Record<string, string>;

/** Serves pages of one origin, and the built SDK below `/sdk/`. */
export interface Site {
  origin: string;
  /** Adds a page and returns its URL. `headers` are sent with each of its files. */
  add(files: PageFiles, headers?: Record<string, string>): string;
  close(): Promise<void>;
}

const dist = fileURLToPath(new URL('../../packages/browser/dist/', import.meta.url));
const types: Record<string, string> = {
  '.html': 'text/html',
  '.xhtml': 'application/xhtml+xml',
  '.js': 'text/javascript',
  '.json': 'application/json',
};

/** Listens on a separate loopback port, so that each site is a separate origin. */
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
      return `${origin}/${pages.length - 1}/${files['index.xhtml'] ? 'index.xhtml' : ''}`;
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function serveSdk(response: ServerResponse, name: string): Promise<void> {
  // Files that do not exist return 404.
  const text = /^[\w./-]+$/.test(name) ? await readFile(dist + name, 'utf8').catch(() => undefined) : undefined;
  send(response, name, text, {});
}

function send(response: ServerResponse, name: string, text: string | undefined, headers: Record<string, string>): void {
  if (text === undefined) return void response.writeHead(404).end();
  const type = types[extname(name)] ?? 'text/plain';
  response.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers });
  response.end(text);
}
