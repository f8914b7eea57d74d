import { existsSync, readFileSync } from 'node:fs';
import type { H3, H3Event } from 'h3';
import { clientPackagesFolder, readClientPackages, type ClientPackage } from '../package-files/client-packages.ts';
import { setHeaders } from '../http/answer-headers.ts';
import { servePacked, type PackedFile } from '../http/packed-file.ts';
import { plainPagePolicy, setPageHeaders } from '../http/page-headers.ts';
import { noSuchPath } from '../http/query.ts';
import type { Services } from '../services.ts';

interface Download extends PackedFile {
  sha256: string;
  isPinned: boolean;
}

const types: Record<string, string> = { js: 'text/javascript; charset=utf-8', tgz: 'application/gzip' };

/** Pages and installers of any origin may read these: they are public, and the same for everybody. */
const publicHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * The packages that fit this server, so that apps can install them from it. They are read when they are first asked for:
 * most servers never are. A name is looked up, and never made into a path.
 */
export function clientPackageRoutes(app: H3, services: Services): void {
  let packages: ClientPackage[] | null = null;
  let downloads: Map<string, Download> | null = null;

  app.get('/packages', async (event) => {
    packages ??= readClientPackages();
    setHeaders(event, { ...publicHeaders, vary: 'Accept' });
    if (prefersJson(event)) {
      event.res.headers.set('cache-control', 'no-cache');
      return { packages: packages.map((one) => described(one, services.baseUrl)) };
    }
    const { packagesPage } = await import('../docs/packages-page.ts');
    setPageHeaders(event, 'text/html; charset=utf-8', plainPagePolicy);
    return packagesPage(packages, services.baseUrl);
  });

  app.get('/packages/:file', (event) => {
    packages ??= readClientPackages();
    downloads ??= readDownloads(packages);
    // Also on a 404: a page whose pinned script is gone is to be told so, and not that it may not read the answer.
    setHeaders(event, { ...publicHeaders, vary: 'Accept-Encoding' });
    const { file = '' } = event.context.params ?? {};
    const download = downloads.get(file) ?? noSuchPath();
    const { sha256, isPinned } = download;
    // Weak, because it is the same for each coding of the content.
    const etag = `W/"${sha256}"`;
    setHeaders(event, {
      'content-type': types[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'cache-control': isPinned ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      etag,
    });
    const known = event.req.headers.get('if-none-match');
    if (known !== '*' && !known?.includes(`"${sha256}"`)) return servePacked(event, download);
    event.res.status = 304;
    return null;
  });
}

/** Browsers name HTML; installers and programs that want the table name JSON alone. */
function prefersJson({ req }: H3Event): boolean {
  const accept = req.headers.get('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
}

function described({ files, ...rest }: ClientPackage, baseUrl: string): object {
  return {
    ...rest,
    files: files.map(({ name, pinned_name, ...file }) => ({
      url: `${baseUrl}/packages/${name}`,
      pinned_url: `${baseUrl}/packages/${pinned_name}`,
      ...file,
    })),
  };
}

function readDownloads(packages: ClientPackage[]): Map<string, Download> {
  const downloads = new Map<string, Download>();
  for (const { name, pinned_name, sha256 } of packages.flatMap(({ files }) => files)) {
    const path = (ending: string): URL => new URL(pinned_name + ending, clientPackagesFolder);
    const read = (ending: string): Uint8Array | null => (existsSync(path(ending)) ? readFileSync(path(ending)) : null);
    const content = { plain: readFileSync(path('')), br: read('.br'), gzip: read('.gz'), sha256 };
    downloads.set(name, { ...content, isPinned: false });
    downloads.set(pinned_name, { ...content, isPinned: true });
  }
  return downloads;
}
