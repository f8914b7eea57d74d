// Puts the packages that fit this server into `public/packages`: each as a tarball for npm, and the files of it that a page
// can load without one. A table of them tells the server and its readers what there is.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/**
 * `scripts`: files of the package that are handed out one by one, by the ending of their name.
 * @type {{ name: string, folder: string, scripts: Record<string, string> }[]}
 */
const packages = [
  {
    name: 'browser',
    folder: '../browser',
    scripts: { 'iife.js': 'dist/index.iife.js', 'snippet.js': 'dist/snippet.js' },
  },
];

const here = fileURLToPath(new URL('./', import.meta.url));
const target = join(here, 'public/packages');
const work = mkdtempSync(join(tmpdir(), 'client-packages-'));

try {
  const out = join(work, 'out');
  mkdirSync(out);
  const table = { packages: packages.map((one) => addPackage(one, out)) };
  writeFileSync(join(out, 'packages.json'), `${JSON.stringify(table, null, 2)}\n`);
  rmSync(target, { recursive: true, force: true });
  cpSync(out, target, { recursive: true });
} finally {
  rmSync(work, { recursive: true, force: true });
}

/**
 * @param {(typeof packages)[number]} one
 * @param {string} out
 */
function addPackage({ name, folder, scripts }, out) {
  const source = join(here, folder);
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const { version, description } = manifest;
  const files = [addFile('tgz', readFileSync(packed(source, name, manifest)))];
  for (const [ending, path] of Object.entries(scripts)) {
    const bytes = readFileSync(join(source, path));
    const file = addFile(ending, bytes);
    // Packed once and as small as can be: the server hands out the packed files as they are.
    writeFileSync(join(out, `${file.pinned_name}.gz`), gzipSync(bytes, { level: 9 }));
    writeFileSync(join(out, `${file.pinned_name}.br`), brotliCompressSync(bytes));
    files.push(file);
  }
  return { name: manifest.name, version, description, files };

  /**
   * @param {string} ending
   * @param {Buffer} bytes
   */
  function addFile(ending, bytes) {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const pinnedName = `${name}-${version}-${sha256.slice(0, 12)}.${ending}`;
    writeFileSync(join(out, pinnedName), bytes);
    const integrity = `sha384-${createHash('sha384').update(bytes).digest('base64')}`;
    return { name: `${name}.${ending}`, pinned_name: pinnedName, bytes: bytes.length, sha256, integrity };
  }
}

/**
 * Packs a package as npm would publish it, without what only its own build needs: a script that runs before publishing, and
 * packages of this workspace, would stop everybody who publishes it again under another name.
 * @param {string} source
 * @param {string} name
 * @param {Record<string, unknown> & { files: string[] }} manifest
 * @returns {string} the path of the tarball
 */
function packed(source, name, manifest) {
  const copy = join(work, name);
  mkdirSync(copy);
  for (const file of readdirSync(source))
    if (manifest.files.includes(file) || /^(?:README|LICENSE)/.test(file))
      cpSync(join(source, file), join(copy, file), { recursive: true });
  const published = { ...manifest, scripts: undefined, devDependencies: undefined };
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const tarballs = join(work, `${name}-tarballs`);
  mkdirSync(tarballs);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [tarball = ''] = readdirSync(tarballs);
  const path = join(work, `${name}.tgz`);
  renameSync(join(tarballs, tarball), path);
  return path;
}
