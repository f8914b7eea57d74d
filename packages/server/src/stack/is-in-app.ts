import { type Origins, noOrigins, originOf } from './url-origin.ts';

/** Folders of JavaScript and Python dependencies, and of the standard library of Python. */
const dependency =
  /(?:^|[/\\])(?:node_modules|jspm_packages|bower_components|site-packages|dist-packages|lib(?:32|64)?[/\\](?:python|pypy)\d[\w.]*|lib-python[/\\]\d|lib_pypy|[Pp]ython\d[\d.]*[/\\][Ll]ib)[/\\]/;
/** Files that bundlers generate, and code of browser extensions and the runtime. */
const machinery =
  /^(?:[a-z-]+-extension:|webkit-masked-url:|chrome:|resource:|ext:|webpack\/|webpack:\/\/[^/]*\/(?:webpack|\(webpack\))\/|\(webpack\)|external |ignored\||vite\/|rolldown:|node:|internal\/|native |\0|<)/i;

/**
 * Returns whether a frame is code of the app itself: not a dependency, not a script of another origin, not the engine's
 * code. If a stack has such frames, a report is grouped by them. `page` is the URL of the page; without a URL, every
 * origin counts as the app's. Scripts of the origins in `others` belong to the app on every page.
 */
export function isInApp(
  { file }: { readonly file: string | null },
  page: string | null,
  others: Origins = noOrigins,
): boolean {
  return isInAppOfOrigin(file, page === null ? null : originOf(page), others);
}

/** Works like `isInApp` with the origin of the page; null accepts any origin. */
export function isInAppOfOrigin(file: string | null, own: string | null, others: Origins = noOrigins): boolean {
  if (file === null || file === '' || dependency.test(file)) return false;
  const host = originOf(file);
  // A path without an origin, such as `webpack://shop/src/cart.ts`, comes from a source map or is a local file.
  if (host === null) return !machinery.test(file);
  return own === null || host === own || others.has(host);
}
