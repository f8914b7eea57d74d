import { existsSync, readFileSync } from 'node:fs';
import { publicFolder } from './public-folder.ts';

/** A package for apps that report to this server, in the version that fits it. */
export interface ClientPackage {
  name: string;
  version: string;
  description: string;
  /** The tarball first. */
  files: ClientFile[];
}

interface ClientFile {
  /** Of the file of the running server, whichever that is. */
  name: string;
  /** With version and hash: the content never changes. */
  pinned_name: string;
  bytes: number;
  sha256: string;
  integrity: string;
}

export const clientPackagesFolder = new URL('packages/', publicFolder);

/** Reads the table that the build wrote. Returns none if the server runs from sources that were never built. */
export function readClientPackages(): ClientPackage[] {
  const path = new URL('packages.json', clientPackagesFolder);
  if (!existsSync(path)) return [];
  return (JSON.parse(readFileSync(path, 'utf8')) as { packages: ClientPackage[] }).packages;
}
