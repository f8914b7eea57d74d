import type { GroupedFrame } from './grouped-frame.ts';
import { normalizePath } from './file-path.ts';

/** The folder that a deployment replaces: `/srv/shop/current/`, `/srv/shop/releases/20261103-1412/`. */
const deployFolder = /^.*\/(?:current|releases\/[^/]+)\//s;
/** The folder of the standard library, or of installed packages, of any version and interpreter. */
const libraryFolder =
  /^.*\/(?:(?:site|dist)-packages|lib(?:32|64)?\/(?:python|pypy)\d[\w.]*|lib-python\/\d[\w.]*|lib_pypy|[Pp]ython\d[\d.]*\/[Ll]ib)\//s;

/**
 * Returns the path of a Python file below the root of its app: `shop/cart.py` for module `shop.cart`, wherever the app
 * is deployed. Without a module, the folders that deployments create are removed from the path.
 */
export function modulePath({ file, raw }: Pick<GroupedFrame, 'file' | 'raw'>): string {
  const path = normalizePath((file ?? '').replaceAll('\\', '/').replace(libraryFolder, '').replace(deployFolder, ''));
  const module = raw.module?.replaceAll('.', '/');
  if (module === undefined || module === '') return path;
  if (module === '__main__') return path.slice(path.lastIndexOf('/') + 1);
  return [`${module}.py`, `${module}/__init__.py`].find((name) => isSuffix(name, path)) ?? path;
}

/** Returns whether two paths may be one file in two deployments, where only folders above the app differ. */
export function areDeployments(path: string, other: string): boolean {
  const [parts, others] = [path.split('/'), other.split('/')];
  const shortest = Math.min(parts.length, others.length);
  let shared = 0;
  while (shared < shortest && parts.at(-1 - shared) === others.at(-1 - shared)) shared++;
  // One file name alone is common: `views.py`, `__init__.py`.
  return shared > 1 && (shared === shortest || parts[0] !== others[0]);
}

export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function isSuffix(name: string, path: string): boolean {
  return path === name || path.endsWith(`/${name}`);
}
