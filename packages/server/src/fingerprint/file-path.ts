import { AdmissionCache } from '../cache/admission-cache.ts';

const scheme = /^[a-z][a-z0-9+.-]{1,30}:\/\/[^/]*/i;
/** The last part of a file name before the extension, long enough to be the hash of a build. */
const lastNamePart = /[-._]([A-Za-z0-9]{8,64}|[A-Za-z0-9_-]{8})(?=\.(?:[cm]?jsx?|css)$)/;
const hexPart = /[-._][0-9a-f]{8,64}(?=\.(?!pyw?$))/;
/** The path to a deployment's own folder: `/srv/shop/releases/20261121103000/`. */
const releaseFolder = /^\/(?:.*\/)?releases\/\d{8}[^/]*\//;
/** A folder that is named after a build: a version, the hash of a commit, an id, a date. */
const buildFolder =
  /(?<=^|\/)(?:v?\d+(?:\.\d+){1,3}(?:[-+][\w.-]+)?|[0-9a-f]{16,64}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d{8,20}|(?=[\w-]*\d)(?=[\w-]*[A-Z])(?=[\w-]*[a-z])[\w-]{20,64})\//g;
const python = /\.pyw?$/i;

/** Normalized paths by file. A project has few distinct files. */
const normalizedPaths = new AdmissionCache<string>(4_000, 400_000);

/**
 * Returns the path of a file that is equal in every build. Removes host, `webpack://app/`, `./` and `../`, query,
 * loaders, the content hash and folders that are named after a build: `../../src/cart.ts` and
 * `webpack://shop/./src/cart.ts?a1b2` are one file. The path of a script made from text is an id, or the text itself,
 * so it is replaced by `(blob)` or `(data)`.
 */
export function normalizePath(file: string): string {
  let path = normalizedPaths.get(file);
  if (path === undefined) normalizedPaths.set(file, (path = normalize(file)));
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
  return path.replace(hexPart, '').replace(lastNamePart, (part, word: string) => (isHash(word) ? '' : part));
}

/** Returns whether the name of a file shows that a bundler generated it: a content hash, or `.min.js`. */
export function hasBundleName(file: string): boolean {
  const path = withoutQuery(file);
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (/[-._]min\.[cm]?js$|^[0-9a-f]{8,64}\./.test(name) || hexPart.test(name)) return true;
  const word = lastNamePart.exec(name)?.[1];
  return word !== undefined && isHash(word);
}

/** Returns whether a file is Python, which runs as written, with the names that people gave. */
export function isPython(file: string | null): boolean {
  return file !== null && python.test(file);
}

/** Returns true for `BCUupxWt`, `46KHIFEC` and `C-84bt9P`, false for `checkout`, `MyWidget` and `cart-v21`. */
function isHash(word: string): boolean {
  if (/[-_]/.test(word) && !/[A-Z]/.test(word)) return false;
  return /\d|[A-Z]{2}|[A-Z]$/.test(word);
}

/**
 * Returns the package of a file: `@scope/pkg` for `node_modules/.pnpm/x@1/node_modules/@scope/pkg/dist/a.js`. Returns
 * null for the app's own files. For `node_modules/.vite/deps/pkg.js`, which Vite bundled, the file name is the package.
 */
export function packageOf(file: string): string | null {
  const at = file.lastIndexOf('node_modules/');
  if (at === -1) return isPython(file) ? pythonPackageOf(file) : null;
  const path = withoutQuery(file).slice(at + 'node_modules/'.length);
  const [first = '', second = ''] = path.split('/', 2);
  if (first.startsWith('.')) return path.slice(path.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

/**
 * Returns `requests` for `/venv/lib/python3.12/site-packages/requests/adapters.py` and `json` for
 * `/usr/lib/python3.12/json/decoder.py`.
 */
function pythonPackageOf(file: string): string | null {
  return (
    // Anchored to the beginning, because trying it from each character of a long path would take quadratic time.
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
