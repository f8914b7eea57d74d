import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { H3, H3Event } from 'h3';
import { clientPackagesFolder, readClientPackages, type ClientPackage } from '../package-files/client-packages.ts';
import {
  earlierPackagesName,
  isPinnedName,
  listEarlierPackages,
  readEarlierPackage,
} from '../package-files/earlier-packages.ts';
import { setHeaders } from '../http/response-headers.ts';
import { serveCompressed, type CompressedFile } from '../http/compressed-file.ts';
import { plainPagePolicy, setPageHeaders } from '../http/page-headers.ts';
import { noSuchPath } from '../http/no-such-path.ts';
import type { Services } from '../services.ts';

interface Download extends CompressedFile {
  sha256: string;
  isPinned: boolean;
}

const packageContentTypes: Record<string, string> = { js: 'text/javascript; charset=utf-8', tgz: 'application/gzip' };

/** Pages and installers of any origin may read these files, since they are public. */
const publicHeaders = { 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' };

/**
 * The client packages that match this server, for apps to install. They are read on the first request, because most
 * servers get none. A file name of a request is looked up in a table or in the list of a folder before it is used.
 */
export function clientPackageRoutes(app: H3, services: Services): void {
  let packages: ClientPackage[] | null = null;
  let downloads: Map<string, Download> | null = null;
  const earlier = new EarlierDownloads(services.store.driver.folder);

  app.get('/packages', async (event) => {
    packages ??= readClientPackages();
    setHeaders(event, { ...publicHeaders, vary: 'Accept' });
    if (prefersJson(event)) {
      event.res.headers.set('cache-control', 'no-cache');
      return { packages: packages.map((one) => toListItem(one, services.baseUrl)) };
    }
    const { packagesPage } = await import('../docs/packages-page.ts');
    setPageHeaders(event, 'text/html; charset=utf-8', plainPagePolicy);
    return packagesPage(packages, services.baseUrl);
  });

  app.get('/packages/:file', async (event) => {
    packages ??= readClientPackages();
    downloads ??= readDownloads(packages);
    // Also set on a 404: a page whose pinned script is gone must see the status, not a CORS error.
    setHeaders(event, { ...publicHeaders, vary: 'Accept-Encoding' });
    const { file = '' } = event.context.params ?? {};
    const download = downloads.get(file) ?? (await earlier.read(file)) ?? noSuchPath();
    const { sha256, isPinned } = download;
    // Weak, because the same tag is used for each content coding.
    const etag = `W/"${sha256}"`;
    setHeaders(event, {
      'content-type': packageContentTypes[file.slice(file.lastIndexOf('.') + 1)] ?? 'application/octet-stream',
      'cache-control': isPinned ? 'public, max-age=31536000, immutable' : 'public, max-age=300',
      etag,
    });
    const known = event.req.headers.get('if-none-match');
    if (known !== '*' && !known?.includes(`"${sha256}"`)) return serveCompressed(event, download);
    event.res.status = 304;
    return null;
  });
}

/** Returns whether the client accepts JSON but not HTML, as installers do. Browsers accept HTML. */
function prefersJson({ req }: H3Event): boolean {
  const accept = req.headers.get('accept') ?? '';
  return accept.includes('application/json') && !accept.includes('text/html');
}

function toListItem({ files, ...rest }: ClientPackage, baseUrl: string): object {
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

/** The files of earlier versions, each read on its first request. */
class EarlierDownloads {
  readonly #folder: string | undefined;
  readonly #read = new Map<string, Promise<Download | null>>();
  #names: Set<string> | null = null;

  constructor(storageFolder: string | undefined) {
    this.#folder = storageFolder && join(storageFolder, earlierPackagesName);
  }

  /** Resolves with null if the folder has no file of this name, or an invalid one. */
  async read(name: string): Promise<Download | null> {
    if (this.#folder === undefined) return null;
    // Read again for an unknown name: the operator may have copied files into the folder, or reading it has failed.
    if (!this.#names?.has(name)) {
      if (!isPinnedName(name)) return null;
      this.#names = await listEarlierPackages(this.#folder);
      if (!this.#names.has(name)) return null;
    }
    const reading = this.#read.get(name) ?? readEarlierDownload(this.#folder, name);
    this.#read.set(name, reading);
    const download = await reading;
    if (download === null) this.#read.delete(name);
    return download;
  }
}

async function readEarlierDownload(folder: string, name: string): Promise<Download | null> {
  const plain = await readEarlierPackage(folder, name);
  if (!plain) return null;
  const sha256 = createHash('sha256').update(plain).digest('hex');
  return { plain, br: null, gzip: name.endsWith('.js') ? gzipSync(plain) : null, sha256, isPinned: true };
}
