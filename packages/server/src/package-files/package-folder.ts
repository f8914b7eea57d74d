import { existsSync } from 'node:fs';

/**
 * The folder of this package, as a URL that ends with a slash: the nearest parent folder with a `package.json`.
 * The depth differs, because the build puts this module into `dist` and tests run it from `src`.
 */
export const packageFolder = nearestPackage(new URL('.', import.meta.url));

function nearestPackage(folder: URL): URL {
  if (existsSync(new URL('package.json', folder))) return folder;
  const parent = new URL('..', folder);
  if (parent.href === folder.href) throw new Error(`No package.json above ${import.meta.url}.`);
  return nearestPackage(parent);
}
