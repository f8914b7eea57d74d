import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { clientPackagesFolder, readClientPackages } from './client-packages.ts';

/** The name of the folder for the packages of all versions, next to the log. */
export const earlierPackagesName = 'packages';

/** The beginning of the SHA-256 of the content is part of each name. */
const pinnedFile = /^[a-z]+-\d[\w.-]*-([0-9a-f]{12})\.(?:tgz|iife\.js|snippet\.js)$/;

/**
 * Copies the client packages of this version into a folder, from which later versions of the server go on serving them
 * under their pinned names. The lockfiles and pages of apps contain these names.
 */
export async function storeClientPackages(folder: string): Promise<void> {
  const names = readClientPackages().flatMap(({ files }) => files.map(({ pinned_name }) => pinned_name));
  if (names.length === 0) return;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  for (const name of names) {
    if ((await readEarlierPackage(folder, name)) !== null) continue;
    await writeWhole(join(folder, name), await readFile(new URL(name, clientPackagesFolder)));
  }
}

export function isPinnedName(name: string): boolean {
  return pinnedFile.test(name);
}

/** Resolves with the pinned names of all versions in the folder, this version included. Empty if it can't be read. */
export async function listEarlierPackages(folder: string): Promise<Set<string>> {
  const names = await readdir(folder).catch(() => []);
  return new Set(names.filter(isPinnedName));
}

/** Reads a file of the folder. Resolves with null if it is missing, or if its content does not match its name. */
export async function readEarlierPackage(folder: string, name: string): Promise<Buffer | null> {
  const content = await readFile(join(folder, name)).catch(() => null);
  const [, hash = null] = pinnedFile.exec(name) ?? [];
  return content && createHash('sha256').update(content).digest('hex').slice(0, 12) === hash ? content : null;
}

/** Writes a file that a crash leaves either whole or missing. */
async function writeWhole(path: string, content: Uint8Array): Promise<void> {
  const temporary = `${path}.tmp`;
  try {
    const file = await open(temporary, 'w', 0o600);
    await file.writeFile(content).finally(() => file.close());
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
