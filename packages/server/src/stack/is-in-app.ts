/** Folders that hold other people's code, in any package manager and language. */
const dependency =
  /(?:^|[/\\])(?:node_modules|jspm_packages|bower_components|site-packages|dist-packages|lib(?:32|64)?[/\\]python\d[\w.]*|[Pp]ython\d[\d.]*[/\\][Ll]ib)[/\\]/;
/** What bundlers add of their own, and what a browser extension or the run time brings. */
const machinery =
  /^(?:[a-z-]+-extension:|webkit-masked-url:|chrome:|resource:|ext:|webpack\/|webpack:\/\/[^/]*\/(?:webpack|\(webpack\))\/|\(webpack\)|external |ignored\||vite\/|rolldown:|node:|internal\/|native |\0|<)/i;
/** Scheme, credentials and host with port. `new URL` would throw at hostile text and takes ten times as long. */
const origin = /^(https?:\/\/)(?:[^/?#\\@]*@)?([^/?#\\@]*)/i;

/** Origins as `originOf` has them. */
export type Origins = Pick<ReadonlySet<string>, 'has'>;
export const noOrigins: Origins = new Set<string>();

/**
 * Code of the app itself: not a dependency, not a script of another origin, not the engine's.
 * Groups are told apart by these frames only. `page` is the URL of the page; without one every origin counts as its.
 * Scripts of `others` are the app's on every page.
 */
export function isInApp(
  { file }: { readonly file: string | null },
  page: string | null,
  others: Origins = noOrigins,
): boolean {
  return isOfOrigin(file, page === null ? null : originOf(page), others);
}

/** The same for an origin, or null for any. */
export function isOfOrigin(file: string | null, own: string | null, others: Origins = noOrigins): boolean {
  if (file === null || file === '' || dependency.test(file)) return false;
  const host = originOf(file);
  // A relative or webpack:// path comes from the app's own source map.
  if (host === null) return !machinery.test(file);
  return own === null || host === own || others.has(host);
}

/** Scheme and host of a URL with `http:` or `https:`, with its port unless it is the default one; else null. */
export function originOf(url: string): string | null {
  const parts = origin.exec(url);
  if (!parts) return null;
  const found = `${parts[1]}${parts[2]}`.toLowerCase();
  const port = found.startsWith('https') ? ':443' : ':80';
  return found.endsWith(port) ? found.slice(0, -port.length) : found;
}
