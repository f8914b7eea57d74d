import { readFileSync } from 'node:fs';
import type { H3 } from 'h3';
import { setPageHeaders } from '../http/page-headers.ts';
import { publicFolder } from '../public-folder.ts';

const types = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/** The page runs its own script and nothing else. */
const contentSecurityPolicy =
  "default-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/** The page at `/`: the latest groups of whoever signs in. */
export function pageRoutes(app: H3): void {
  page(app, '/', 'index.html');
  page(app, '/latest.js', 'latest.js');
  page(app, '/latest.css', 'latest.css');
  page(app, '/docs.css', 'docs.css');
  page(app, '/checkout.css', 'checkout.css');
  page(app, '/icon.svg', 'icon.svg');
}

function page(app: H3, path: string, file: string): void {
  const text = readFileSync(new URL(file, publicFolder), 'utf8');
  const type = types[file.slice(file.lastIndexOf('.') + 1) as keyof typeof types];
  app.get(path, (event) => {
    setPageHeaders(event, type, contentSecurityPolicy);
    return text;
  });
}
