import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Hashes the names and the content of files, and of all files in folders. Modification times are not used: a clone and
 * a change of branches set them without changing any content. A missing path changes the hash too.
 * @param {string} root
 * @param {string[]} paths relative to the root, with `/`
 * @param {(path: string) => boolean} isIgnored
 * @returns {string}
 */
export function hashFiles(root, paths, isIgnored = () => false) {
  const hash = createHash('sha256');
  /** @param {string} path */
  const add = (path) => {
    const absolutePath = join(root, path);
    const stats = statSync(absolutePath, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      const names = readdirSync(absolutePath).toSorted();
      for (const name of names) if (!isIgnored(`${path}/${name}`)) add(`${path}/${name}`);
      return;
    }
    hash.update(`${path}\0${stats?.size ?? 'missing'}\0`);
    if (stats?.isFile()) hash.update(readFileSync(absolutePath));
  };
  paths.forEach(add);
  return hash.digest('hex');
}
