import { readFileSync } from 'node:fs';

const manifest = new URL('../package.json', import.meta.url);

/** Returns the version of this package. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}
