import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { apiPrefix, paths } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { findCookieSession } from '../accounts/sessions.ts';
import { readClientPackages } from '../package-files/client-packages.ts';
import { setPageHeaders } from '../http/page-headers.ts';
import { serveCompressed, type CompressedFile } from '../http/compressed-file.ts';
import { readSessionCookie } from '../http/session-cookie.ts';
import { publicFolder } from '../package-files/public-folder.ts';
import type { Services } from '../services.ts';

const pageContentTypes: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
};

/**
 * The dashboard runs only its own script and never turns text into HTML, because reports contain text of attackers.
 */
const dashboardPolicy = [
  "default-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "object-src 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

/** The paths of the screens. The dashboard has the same list. */
const screens = [
  '/',
  '/groups/:id',
  '/groups/:id/reports/:report_id',
  '/projects',
  '/projects/:id',
  '/projects/:id/:tab',
  '/team',
  '/tokens',
  '/usage',
  '/sign-in',
  '/register',
];

const notBuilt =
  '<!doctype html><title>Dashboard not built</title><p>The dashboard is not built. Run <code>pnpm build</code>.</p>';

/** The dashboard, and the styles of the other pages of this server. */
export function pageRoutes(app: H3, services: Services): void {
  for (const file of ['tokens.css', 'docs.css', 'checkout.css', 'icon.svg']) {
    const text = readFileSync(new URL(file, publicFolder), 'utf8');
    app.get(`/${file}`, (event) => {
      setPageHeaders(event, typeOf(file), dashboardPolicy);
      return text;
    });
  }
  const index = new URL('dashboard/index.html', publicFolder);
  const page = existsSync(index) ? withSdk(readFileSync(index, 'utf8')) : notBuilt;
  for (const path of screens) {
    app.get(path, (event) => {
      setPageHeaders(event, 'text/html; charset=utf-8', dashboardPolicy);
      // The page says whether its reader is signed in.
      event.res.headers.set('cache-control', 'private, no-cache');
      event.res.headers.append('vary', 'Cookie');
      const words = facts(event);
      if (words.includes('signed-in')) event.res.headers.set('link', preloads(event.url));
      return page.replace('name="service" content=""', `name="service" content="${words.join(' ')}"`);
    });
  }
  if (page !== notBuilt) assetRoutes(app);

  /**
   * Returns facts for the page. Requesting them would take a round trip, or cause an error in the browser's console.
   */
  function facts(event: H3Event): string[] {
    const secret = readSessionCookie(event);
    const isSignedIn = secret !== null && findCookieSession(services, secret) !== null;
    const hasDemo = app['~routes'].some(({ route }) => route === '/demo');
    const { supportEmail } = services.config;
    const all = {
      'signed-in': isSignedIn,
      [`position=${services.stream.currentCursor}`]: isSignedIn,
      demo: hasDemo,
      mail: services.mailer !== null,
      registration: services.config.registration === 'open',
      [`support=${supportEmail}`]: supportEmail !== null,
    };
    return Object.entries(all).flatMap(([word, isTrue]) => (isTrue ? [word] : []));
  }
}

/** Fills in the pinned names of the SDK's script and tarball for the setup instructions. */
function withSdk(page: string): string {
  const files = readClientPackages().flatMap((one) => one.files);
  const find = (name: string): { pinned_name: string; integrity: string } =>
    files.find((file) => file.name === name) ?? { pinned_name: name, integrity: '' };
  const script = find('browser.iife.js');
  return page
    .replace('{script}', `/packages/${script.pinned_name}`)
    .replace('{integrity}', script.integrity)
    .replace('{tarball}', `/packages/${find('browser.tgz').pinned_name}`);
}

/** The first page of the group list, exactly as the dashboard requests it. */
const firstList = `${paths.errors}?sort=last_seen&order=desc&page=1&size=50&status=active`;

/** Returns preload links for the requests of the page, so that browsers send them while the script loads. */
function preloads({ pathname, search }: URL): string {
  const [, groupId] = /^\/groups\/(\d+)$/.exec(pathname) ?? [];
  const own = groupId ? [`${paths.errors}/${groupId}`] : pathname === '/' && search === '' ? [firstList] : [];
  return [paths.me, ...own, paths.projects, paths.usage]
    .map((path) => `<${apiPrefix}${path}>; rel=preload; as=fetch; crossorigin`)
    .join(', ');
}

/** Serves the files of the dashboard. Their names contain a content hash, so browsers may cache them forever. */
function assetRoutes(app: H3): void {
  const folder = new URL('dashboard/assets/', publicFolder);
  const names = readdirSync(folder);
  for (const name of names.filter((file) => !/\.(?:br|gz)$/.test(file))) {
    const read = (ending: string): Uint8Array | null =>
      names.includes(name + ending) ? readFileSync(new URL(name + ending, folder)) : null;
    const file: CompressedFile = { plain: readFileSync(new URL(name, folder)), br: read('.br'), gzip: read('.gz') };
    app.get(`/assets/${name}`, (event) => {
      setPageHeaders(event, typeOf(name), dashboardPolicy);
      event.res.headers.set('cache-control', 'public, max-age=31536000, immutable');
      return serveCompressed(event, file);
    });
  }
}

const typeOf = (file: string): string =>
  pageContentTypes[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream';
