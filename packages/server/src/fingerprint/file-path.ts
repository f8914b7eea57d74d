import { AdmissionCache } from '../cache/admission-cache.ts';

const scheme = /^[a-z][a-z0-9+.-]{1,30}:\/\/[^/]*/i;
/** A name's last part before the extension, long enough to be the hash of a build. */
const lastPart = /[-._]([A-Za-z0-9]{8,64}|[A-Za-z0-9_-]{8})(?=\.(?:[cm]?jsx?|css)$)/;
const hexPart = /[-._][0-9a-f]{8,64}(?=\.(?!pyw?$))/;
/** Where each deployment has a folder of its own: `/srv/shop/releases/20261121103000/`. */
const releaseFolder = /^\/(?:.*\/)?releases\/\d{8}[^/]*\//;
/** Where each build has a folder of its own: its version, the hash of a commit, an id, a date. */
const buildFolder =
  /(?<=^|\/)(?:v?\d+(?:\.\d+){1,3}(?:[-+][\w.-]+)?|[0-9a-f]{16,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{8,20}|(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,64})\//g;
const python = /\.pyw?$/i;

/** The files of a project come again and again. */
const known = new AdmissionCache<string>(4_000, 400_000);

/**
 * The path of a file as it is in every build: without host, `webpack://app/`, `./` and `../`, query, loaders and the
 * hash of its content. `../../src/cart.ts` and `webpack://shop/./src/cart.ts?a1b2` are one file. What a page made of
 * text has an id for a path, or the text itself.
 */
export function normalizePath(file: string): string {
  let path = known.get(file);
  if (path === undefined) known.set(file, (path = normalize(file)));
  return path;
}

function normalize(file: string): string {
  const made = /^(?:blob|data)(?=:)/i.exec(file);
  if (made) return `(${made[0].toLowerCase()})`;
  // React shows frames of its server as `rsc://React/Server/webpack-internal:///(rsc)/./app/page.tsx`.
  const within = file.lastIndexOf('webpack-internal:///');
  const path = withoutQuery(file.slice(Math.max(within, file.lastIndexOf('!') + 1)))
    .replaceAll('\\', '/')
    .replace(releaseFolder, '')
    .replace(scheme, '')
    .replace(/^\/?\([\w-]+\)\//, '')
    .replace(/^(?:\.{0,2}\/)+/, '')
    .replace(buildFolder, '');
  return path.replace(hexPart, '').replace(lastPart, (part, word: string) => (isHash(word) ? '' : part));
}

/** Whether the name of a file shows that a bundler wrote it: a hash of its content, or `.min.js`. */
export function hasBundleName(file: string): boolean {
  const path = withoutQuery(file);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/[-._]min\.[cm]?js$|^[0-9a-f]{8,64}\./.test(name) || hexPart.test(name)) return true;
  const word = lastPart.exec(name)?.[1];
  return word !== undefined && isHash(word);
}

/** Whether a file is one of Python, which is run as it was written, with the names that people gave. */
export function isPython(file: string | null): boolean {
  return file !== null && python.test(file);
}

/** `BCUupxWt`, `46KHIFEC` and `C-84bt9P` rather than `checkout`, `MyWidget` and `cart-v21`. */
function isHash(word: string): boolean {
  if (/[-_]/.test(word) && !/[A-Z]/.test(word)) return false;
  return /\d|[A-Z]{2}|[A-Z]$/.test(word);
}

/**
 * `node_modules/.pnpm/x@1/node_modules/@scope/pkg/dist/a.js` belongs to `@scope/pkg`. Null for the app's own files.
 * Of what Vite has bundled into `node_modules/.vite/deps/pkg.js` the file has the name of the package.
 */
export function packageOf(file: string): string | null {
  const at = file.lastIndexOf('node_modules/');
  if (at === -1) return isPython(file) ? pythonPackageOf(file) : null;
  const path = withoutQuery(file).slice(at + 'node_modules/'.length);
  const [first = '', second = ''] = path.split('/', 2);
  if (first.startsWith('.')) return path.slice(path.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/** `/venv/lib/python3.12/site-packages/requests/adapters.py` belongs to `requests`, `/usr/lib/python3.12/json/decoder.py` to `json`. */
function pythonPackageOf(file: string): string | null {
  return (
    // Tried from the beginning of a line only: from each of its characters a long path takes forever.
    /^.*[/\\](?:(?:site|dist)-packages|lib\d*[/\\]python\d[\w.]*|Lib)[/\\]([^/\\]+)/m
      .exec(file)?.[1]
      ?.replace(python, '') ?? null
  );
}

export function withoutQuery(url: string): string {
  const hash = url.indexOf('#');
  const query = url.indexOf('?');
  if (hash === -1 && query === -1) return url;
  return url.slice(0, Math.min(hash === -1 ? url.length : hash, query === -1 ? url.length : query));
}
