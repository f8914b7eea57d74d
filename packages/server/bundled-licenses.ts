import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Options } from 'tsup';

type Plugin = NonNullable<Options['esbuildPlugins']>[number];

/** Writes the licenses of all bundled packages, as they require. A package without a license fails the build. */
export function bundledLicenses(path: string): Plugin {
  return {
    name: 'bundled-licenses',
    setup(build) {
      build.onEnd(async ({ metafile }) => {
        const folders = new Set(Object.keys(metafile?.inputs ?? {}).flatMap((file) => packageFolder(file) ?? []));
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, Array.from(folders, licensesOf).toSorted().join('\n'));
      });
    },
  };
}

function packageFolder(file: string): string | null {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? null;
}

function licensesOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, string>;
  const own = readMatching(folder, /^licen[cs]e/i);
  if (own.length === 0) throw new Error(`${folder} is bundled, but has no license.`);
  // Licenses of packages that this package bundles.
  const others = existsSync(join(folder, 'dist')) ? readMatching(join(folder, 'dist'), /^third-party-licenses/i) : [];
  return `${name} ${version}\n\n${[...own, ...others].join('\n\n')}\n`;
}

function readMatching(folder: string, names: RegExp): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isFile() && names.test(entry.name))
    .map(({ name }) => {
      const bytes = readFileSync(join(folder, name));
      return (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8').trim();
    });
}
