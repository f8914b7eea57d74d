import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { run, userEnvironment } from './run.mjs';

/** @import { PackedPackage } from './pack.mjs' */

const tsc = fileURLToPath(new URL('../node_modules/typescript/bin/tsc', import.meta.url));
const attw = '@arethetypeswrong/cli@0.18.5';
const npmInstall = ['install', '--no-audit', '--no-fund', '--loglevel=error', '--save-dev'];

/** What the users of a package have installed, too. The packages of this repository are installed from their tarballs. */
const companions = /** @type {Record<string, string[]>} */ ({
  '@service/browser': ['react@19', '@types/react@19', 'vue@3', 'svelte@5'],
  '@service/bundler-plugin': [
    'vite@8',
    'rollup@4',
    'rolldown@1',
    'webpack@5',
    '@rspack/core@2',
    'esbuild@0.27',
    '@types/node@20',
  ],
  '@service/mocks': [
    'msw@2',
    'vitest@4',
    '@playwright/test@1',
    '@service/browser',
    '@service/server',
    '@types/node@20',
  ],
  '@service/server': ['@types/node@20'],
});

/** Entries that only another program can load: an app that Nuxt has generated, and test runners. */
const loadedByOthers = new Set(['@service/browser/nuxt-plugin', '@service/mocks/vitest', '@service/mocks/jest']);

/**
 * Checks a package as its users get it. Rejects with the first problem.
 *
 * @param {PackedPackage} one
 * @param {PackedPackage[]} packed
 * @param {string} target a folder for the files that are made
 */
export async function checkPackage(one, packed, target) {
  const folder = join(target, basename(one.folder));
  await mkdir(folder);
  await checkManifest(one, folder);
  await checkTypeResolutions(one, folder);
  await install(one, packed, folder);
  await loadEntries(one, folder);
  await compileEntries(one, folder);
  for (const command of Object.keys(one.manifest.bin ?? {}))
    await run('npx', [command, '--help'], { cwd: folder, env: userEnvironment(folder) });
}

/** @param {PackedPackage} one @param {string} folder */
async function checkManifest({ tarball }, folder) {
  const unpacked = join(folder, 'unpacked');
  await mkdir(unpacked);
  await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1'], { cwd: folder });
  const { messages, pkg } = await publint({ pkgDir: unpacked, pack: false, strict: true });
  const found = messages.map((message) => formatMessage(message, pkg, { color: false }));
  if (found.length > 0) throw new Error(`publint:\n${found.join('\n')}`);
}

/** @param {PackedPackage} one @param {string} folder */
async function checkTypeResolutions({ manifest, tarball }, folder) {
  const [esmOnly, both] = [false, true].map((hasRequire) =>
    entriesOf(manifest)
      .filter(({ conditions }) => 'require' in conditions === hasRequire)
      .map(({ path }) => path),
  );
  const check = (/** @type {string} */ profile, /** @type {string[]} */ paths) =>
    paths.length > 0 &&
    run('npx', ['-y', attw, tarball, '--profile', profile, '--entrypoints', ...paths], { cwd: folder });
  await check('node16', both ?? []);
  await check('esm-only', esmOnly ?? []);
}

/** @param {PackedPackage} one @param {PackedPackage[]} packed @param {string} folder */
async function install({ manifest, tarball }, packed, folder) {
  await writeFile(join(folder, 'package.json'), '{ "private": true }');
  const further = (companions[manifest.name] ?? []).map(
    (name) => packed.find((other) => other.manifest.name === name)?.tarball ?? name,
  );
  await run('npm', [...npmInstall, tarball, ...further], { cwd: folder });
}

/** Imports and requires each entry with Node.js. @param {PackedPackage} one @param {string} folder */
async function loadEntries({ manifest }, folder) {
  const entries = entriesOf(manifest).filter(({ name }) => !loadedByOthers.has(name));
  const required = entries.filter(({ conditions }) => 'require' in conditions);
  await writeFile(join(folder, 'load.mjs'), entries.map(({ name }) => `await import('${name}');\n`).join(''));
  await writeFile(join(folder, 'load.cjs'), required.map(({ name }) => `require('${name}');\n`).join(''));
  for (const file of ['load.mjs', 'load.cjs']) await run(process.execPath, ['--no-warnings', file], { cwd: folder });
}

/** @param {{ name: string }[]} entries */
const importsOf = (entries) =>
  entries.map(({ name }, index) => `import * as entry${index} from '${name}';\nvoid entry${index};\n`).join('') +
  'export {};\n';

/**
 * Compiles imports of each entry, with the declarations of the package, as Node.js and as bundlers resolve them.
 *
 * @param {PackedPackage} one
 * @param {string} folder
 */
async function compileEntries({ manifest }, folder) {
  const entries = entriesOf(manifest);
  const inCommonJs = entries.filter(({ conditions }) => 'require' in conditions);
  const types = companions[manifest.name]?.includes('@types/node@20') ? ['--types', 'node'] : [];
  const ways = [
    { file: 'app.mts', module: 'node16', resolution: 'node16', code: importsOf(entries) },
    // Node.js 20.19 can require ES modules, such as Vite, which only `nodenext` takes into account.
    { file: 'app.cts', module: 'nodenext', resolution: 'nodenext', code: importsOf(inCommonJs) },
    { file: 'app.ts', module: 'esnext', resolution: 'bundler', code: importsOf(entries) },
  ];
  for (const { file, module, resolution, code } of ways) {
    await writeFile(join(folder, file), code);
    const flags = [
      '--noEmit',
      '--strict',
      '--target',
      'es2022',
      '--lib',
      'es2022,dom,dom.iterable',
      '--jsx',
      'react-jsx',
    ];
    const how = ['--module', module, '--moduleResolution', resolution, '--ignoreConfig', '--pretty', 'false', ...types];
    const { output } = await run(process.execPath, [tsc, ...flags, ...how, file], { cwd: folder }).catch((error) => ({
      output: String(error.message),
    }));
    // The declarations of other packages have other errors.
    const ours = output.split('\n').filter((line) => /^(?:app\.|node_modules\/@service\/)/.test(line));
    if (ours.length > 0) throw new Error(`${file}, ${resolution}:\n${ours.join('\n')}`);
  }
}

/** @param {PackedPackage['manifest']} manifest */
function entriesOf({ name, exports = {} }) {
  return Object.entries(exports)
    .filter(([path]) => !path.endsWith('.json'))
    .map(([path, conditions]) => ({ path, name: join(name, path), conditions: /** @type {object} */ (conditions) }));
}

/**
 * Writes what a package depends on, in the format CycloneDX.
 *
 * @param {PackedPackage} one
 * @param {string} target
 */
export async function writeBillOfMaterials({ manifest, tarball }, target) {
  const name = basename(tarball, '.tgz');
  const folder = join(target, `${name}-unpacked`);
  await mkdir(folder);
  await run('tar', ['-xzf', tarball, '-C', folder, '--strip-components=1'], { cwd: target });
  // npm would look for the development dependencies, some of which are private packages of this repository.
  await run('npm', ['pkg', 'delete', 'devDependencies', 'peerDependencies', 'peerDependenciesMeta'], { cwd: folder });
  await run('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: folder });
  const { stdout } = await run('npm', ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx'], { cwd: folder });
  const { bomFormat, components, metadata } = JSON.parse(stdout);
  const dependencies = Object.keys(JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')).dependencies ?? {});
  const listed = new Set(components.map((/** @type {{ name: string, group?: string }} */ one) => one.name));
  if (
    bomFormat !== 'CycloneDX' ||
    metadata.component.version !== manifest.version ||
    dependencies.some((one) => !listed.has(one))
  )
    throw new Error(`The bill of materials of ${name} is incomplete:\n${stdout}`);
  const file = join(target, `${name}.cdx.json`);
  await writeFile(file, stdout);
  return { file, components: components.length };
}
