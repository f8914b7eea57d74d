import { Memo } from '../memo.ts';

const scheme = /^[a-z][a-z0-9+.-]{1,30}:\/\/[^/]*/i;
/** A name's last part before the extension, long enough to be the hash of a build. */
const lastPart = /[-._]([A-Za-z0-9]{8,64}|[A-Za-z0-9_-]{8})(?=\.(?:[cm]?jsx?|css)$)/;
const hexPart = /[-._][0-9a-f]{8,64}(?=\.)/;

/** The files of a project come again and again. */
const known = new Memo<string>(4_000, 400_000);

/**
 * The path of a file as it is in every build: without host, `webpack://app/`, `./` and `../`, query, loaders and the
 * hash of its content. `../../src/cart.ts` and `webpack://shop/./src/cart.ts?a1b2` are one file.
 */
export function normalizePath(file: string): string {
  let path = known.get(file);
  if (path === undefined) known.set(file, (path = normalize(file)));
  return path;
}

function normalize(file: string): string {
  const path = withoutQuery(file.slice(file.lastIndexOf('!') + 1))
    .replaceAll('\\', '/')
    .replace(scheme, '')
    .replace(/^\/?\([\w-]+\)\//, '')
    .replace(/^(?:\.{0,2}\/)+/, '');
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
  if (at === -1) return null;
  const path = withoutQuery(file).slice(at + 'node_modules/'.length);
  const [first = '', second = ''] = path.split('/', 2);
  if (first.startsWith('.')) return path.slice(path.lastIndexOf('/') + 1).replace(/\.[cm]?js$/, '');
  return first.startsWith('@') ? `${first}/${second}` : first;
}

export function withoutQuery(url: string): string {
  const hash = url.indexOf('#');
  const query = url.indexOf('?');
  if (hash === -1 && query === -1) return url;
  return url.slice(0, Math.min(hash === -1 ? url.length : hash, query === -1 ? url.length : query));
}
