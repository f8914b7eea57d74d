import { existsSync } from 'node:fs';

/**
 * The folder of this package, as a URL that ends with a slash: the nearest one above that has a `package.json`.
 * The build puts this module into `dist`, tests run it from `src`, so the depth differs.
 */
export const packageFolder = nearestPackage(new URL('.', import.meta.url));

function nearestPackage(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error(`No package.json above ${import.meta.url}.`);
  return nearestPackage(parent);
}
