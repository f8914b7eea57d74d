import { existsSync, readFileSync } from 'node:fs';
import { publicFolder } from './public-folder.ts';

/** A client package that this server offers, in the matching version. */
export interface ClientPackage {
  name: string;
  version: string;
  description: string;
  /** The files of the package, tarball first. */
  files: ClientFile[];
}

interface ClientFile {
  /** A fixed name for the file of the running version. */
  name: string;
  /** A name with version and hash, whose content never changes. */
  pinned_name: string;
  bytes: number;
  sha256: string;
  integrity: string;
}

export const clientPackagesFolder = new URL('packages/', publicFolder);

/** Reads the table that the build wrote. Returns an empty list if the server runs from sources that were not built. */
export function readClientPackages(): ClientPackage[] {
  const path = new URL('packages.json', clientPackagesFolder);
  if (!existsSync(path)) return [];
  return (JSON.parse(readFileSync(path, 'utf8')) as { packages: ClientPackage[] }).packages;
}
