// `npm run release:check -- [--out FOLDER]`: a release without publishing. Packs the packages, checks each one as its
// users get it, lists its dependencies, builds what the image contains, and walks from the tarballs to the first
// readable error.
// With --out, the tarballs and the lists stay in the folder.
import { copyFile, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { checkPackage, writeBillOfMaterials } from './check-package.mjs';
import { checkImage } from './check-image.mjs';
import { newcomersWalk } from './newcomers-walk.mjs';
import { packAll } from './pack.mjs';
import { packPython } from './python.mjs';

const { values } = parseArgs({ options: { out: { type: 'string' } } });

const folder = await mkdtemp(join(tmpdir(), 'service-release-'));
try {
  const packed = await packAll(folder);
  const lists = [];
  for (const one of packed) {
    const name = `${one.manifest.name} ${one.manifest.version}`;
    await checkPackage(one, packed, folder);
    const { file, components } = await writeBillOfMaterials(one, folder);
    lists.push(file);
    console.log(`✓ ${name}: publint, attw, imports, types; ${components} dependencies`);
  }
  const python = await packPython(folder);
  console.log(`✓ ${python.name} ${python.version}: wheel, installation, import; ${python.dependencies} dependencies`);
  const image = join(folder, 'image');
  await mkdir(image);
  const { sizes, hasRun } = await checkImage(image, packed);
  console.log(`✓ the image: ${sizes}${hasRun ? '; started, healthy, stopped' : '. It needs root and Linux to start.'}`);
  const walk = join(folder, 'walk');
  await mkdir(walk);
  const { totalSeconds } = await newcomersWalk(walk, packed);
  console.log(`From the tarballs to the line of the error: ${totalSeconds().toFixed(0)} s`);
  if (values.out) {
    const tarballs = packed.map(({ tarball }) => tarball);
    await keep(resolve(values.out), [...tarballs, ...lists, ...python.files]);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** @param {string} target @param {string[]} files */
async function keep(target, files) {
  await mkdir(target, { recursive: true });
  for (const file of files) await copyFile(file, join(target, basename(file)));
  console.log(`Written to ${target}: ${files.map((file) => basename(file)).join(', ')}`);
}
