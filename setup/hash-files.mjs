import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Hashes the names and the content of files, and of all files in folders. Modification times don't count: a clone and a
 * change of branches set them without changing anything. A path that doesn't exist has a hash of its own.
 * @param {string} root
 * @param {string[]} paths from the root, with `/`
 * @param {(path: string) => boolean} isIgnored
 * @returns {string}
 */
export function hashFiles(root, paths, isIgnored = () => false) {
  const hash = createHash('sha256');
  /** @param {string} path */
  const add = (path) => {
    const place = join(root, path);
    const stats = statSync(place, { throwIfNoEntry: false });
    if (stats?.isDirectory()) {
      const names = readdirSync(place).toSorted();
      for (const name of names) if (!isIgnored(`${path}/${name}`)) add(`${path}/${name}`);
      return;
    }
    hash.update(`${path}\0${stats?.size ?? 'missing'}\0`);
    if (stats?.isFile()) hash.update(readFileSync(place));
  };
  paths.forEach(add);
  return hash.digest('hex');
}
