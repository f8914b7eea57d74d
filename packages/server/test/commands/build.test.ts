import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);
const dist = new URL('dist/', root);
const manifest = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
  dependencies: Record<string, string>;
  /** Optional packages: without them, an error message says how to install them. */
  peerDependencies: Record<string, string>;
  files: string[];
};

/** Returns the static and dynamic imports of a built file. */
function importsOf(file: string): string[] {
  const text = readFileSync(new URL(file, dist), 'utf8');
  return ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
}

describe('the published package', () => {
  const files = readdirSync(dist).filter((file) => file.endsWith('.js'));

  test('the published package contains or depends on everything that it imports', () => {
    expect(manifest.files).toEqual(expect.arrayContaining(['bin', 'dist', 'public']));
    const missing = files.flatMap((file) =>
      importsOf(file).filter((name) => {
        if (name.startsWith('.')) return !existsSync(new URL(name, dist));
        const [packageName] = /^(@[^/]+\/)?[^/]+/.exec(name) ?? [''];
        return !isBuiltin(name) && !(packageName in { ...manifest.dependencies, ...manifest.peerDependencies });
      }),
    );
    expect(missing).toEqual([]);
  });

  test('the published package contains the license of each bundled package', () => {
    const bundled = files.flatMap((file) =>
      Array.from(
        readFileSync(new URL(file, dist), 'utf8').matchAll(/^\/\/ \S*node_modules\/((?:@[^/]+\/)?[^/]+)\/\S+$/gm),
        ([, name]) => name ?? '',
      ),
    );
    expect(bundled).toContain('zod');
    const licenses = readFileSync(fileURLToPath(new URL('cli-licenses.txt', dist)), 'utf8');
    const missing = [...new Set(bundled)].filter(
      (name) => !licenses.includes(`\n${name} `) && !licenses.startsWith(`${name} `),
    );
    expect(missing).toEqual([]);
  });
});
