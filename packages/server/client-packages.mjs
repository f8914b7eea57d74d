// Writes the client packages of this server version into `public/packages`: each as a tarball for npm, and as single
// files that a page can load. A JSON table lists them for the server and its clients.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/**
 * `scripts`: files of the package that are served one by one, by the ending of their name.
 * @type {{ name: string, folder: string, scripts: Record<string, string> }[]}
 */
const packages = [
  {
    name: 'browser',
    folder: '../browser',
    scripts: { 'iife.js': 'dist/index.iife.js', 'snippet.js': 'dist/snippet.js' },
  },
];

const serverFolder = fileURLToPath(new URL('./', import.meta.url));
const target = join(serverFolder, 'public/packages');
const workFolder = mkdtempSync(join(tmpdir(), 'client-packages-'));

try {
  const out = join(workFolder, 'out');
  mkdirSync(out);
  const table = { packages: packages.map((each) => addPackage(each, out)) };
  writeFileSync(join(out, 'packages.json'), `${JSON.stringify(table, null, 2)}\n`);
  rmSync(target, { recursive: true, force: true });
  cpSync(out, target, { recursive: true });
} finally {
  rmSync(workFolder, { recursive: true, force: true });
}

/**
 * @param {(typeof packages)[number]} one
 * @param {string} out
 */
function addPackage({ name, folder, scripts }, out) {
  const source = join(serverFolder, folder);
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const { version, description } = manifest;
  const files = [addFile('tgz', readFileSync(packPackage(source, name, manifest)))];
  for (const [ending, path] of Object.entries(scripts)) {
    const bytes = readFileSync(join(source, path));
    const file = addFile(ending, bytes);
    // Compressed once, as small as possible: the server sends the compressed files unchanged.
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
 * Packs a package as npm would publish it, without the parts that only its own build needs. A prepublish script and
 * workspace dependencies would break a republication under another name.
 * @param {string} source
 * @param {string} name
 * @param {Record<string, unknown> & { files: string[] }} manifest
 * @returns {string} the path of the tarball
 */
function packPackage(source, name, manifest) {
  const copy = join(workFolder, name);
  mkdirSync(copy);
  for (const file of readdirSync(source))
    if (manifest.files.includes(file) || /^(?:README|LICENSE)/.test(file))
      cpSync(join(source, file), join(copy, file), { recursive: true });
  const published = { ...manifest, scripts: undefined, devDependencies: undefined };
  writeFileSync(join(copy, 'package.json'), `${JSON.stringify(published, null, 2)}\n`);
  const tarballs = join(workFolder, `${name}-tarballs`);
  mkdirSync(tarballs);
  execFileSync('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', tarballs], {
    cwd: copy,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  });
  const [tarball = ''] = readdirSync(tarballs);
  const path = join(workFolder, `${name}.tgz`);
  renameSync(join(tarballs, tarball), path);
  return path;
}
