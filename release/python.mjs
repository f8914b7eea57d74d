import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from './run.mjs';

const source = fileURLToPath(new URL('../packages/python', import.meta.url));

/**
 * Builds the wheel and the source archive of the Python SDK, installs the wheel without an index, imports it, and
 * writes its bill of materials. Needs the modules `build`, `setuptools`, `wheel` and `venv` of Python.
 *
 * @param {string} target a folder for the files that are made
 */
export async function packPython(target) {
  const folder = join(target, 'python');
  const copy = join(folder, 'source');
  await mkdir(folder);
  // setuptools writes folders next to the sources.
  await cp(source, copy, { recursive: true, filter: (file) => !/(?:__pycache__|\.egg-info|build|dist)$/.test(file) });
  const python3 = await findPython(folder);
  await run(python3, ['-m', 'build', '--no-isolation', '--outdir', folder, copy], { cwd: folder });
  const { name, version } = await readProject();
  const file = name.replaceAll('-', '_');
  const wheel = join(folder, `${file}-${version}-py3-none-any.whl`);
  const archive = join(folder, `${file}-${version}.tar.gz`);

  const python = join(folder, 'venv/bin/python');
  await run(python3, ['-m', 'venv', join(folder, 'venv')], { cwd: folder });
  await run(python, ['-m', 'pip', 'install', '--quiet', '--no-index', wheel], { cwd: folder });
  const list = join(folder, `${file}-${version}.cdx.json`);
  const { stdout } = await run(python, ['-c', readMetadata, name], { cwd: folder });
  const metadata = JSON.parse(stdout);
  if (metadata.version !== version) throw new Error(`The wheel of ${name} has the version ${metadata.version}.`);
  await writeFile(list, JSON.stringify(billOfMaterials(name, metadata), null, 2));
  return { name, version, files: [wheel, archive, list], dependencies: metadata.requires.length };
}

/** Prints what an installed package says about itself, after an import of its module. */
const readMetadata = `
import importlib, importlib.metadata, json, sys
name = sys.argv[1]
importlib.import_module(name.replace("-", "_"))
found = importlib.metadata.metadata(name)
print(json.dumps({"version": found["Version"], "license": found["License"], "requires": found.get_all("Requires-Dist") or []}))
`;

/** Returns the first Python that can build packages: that of the path, or that of Linux. @param {string} cwd */
async function findPython(cwd) {
  for (const python of ['python3', '/usr/bin/python3']) {
    const found = await run(python, ['-c', 'import build, setuptools, venv, wheel'], { cwd }).catch(() => null);
    if (found) return python;
  }
  throw new Error('No python3 has the modules build, setuptools, venv and wheel. Debian: python3-build python3-wheel.');
}

async function readProject() {
  const text = await readFile(join(source, 'pyproject.toml'), 'utf8');
  const [, name = ''] = /^name = "(.+)"$/m.exec(text) ?? [];
  const [, version = ''] = /^version = "(.+)"$/m.exec(text) ?? [];
  return { name, version };
}

/**
 * Returns a list in the format CycloneDX. An installed wheel names its direct dependencies only, so any is a problem:
 * the SDK has none.
 *
 * @param {string} name
 * @param {{ version: string, license: string, requires: string[] }} metadata
 */
function billOfMaterials(name, { version, license, requires }) {
  if (requires.length > 0) throw new Error(`${name} has dependencies, which are not listed: ${requires.join(', ')}`);
  const reference = `pkg:pypi/${name}@${version}`;
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    version: 1,
    metadata: {
      component: {
        'bom-ref': reference,
        type: 'library',
        name,
        version,
        purl: reference,
        licenses: [{ license: { id: license } }],
      },
    },
    components: [],
    dependencies: [{ ref: reference, dependsOn: [] }],
  };
}
