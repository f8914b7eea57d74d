// Recreates the captured errors of an app: builds all of its releases with every bundler, triggers all bugs in every
// browser, and records what they throw. Needs some minutes, npm's registry and the three browsers:
//   node benchmarks/corpus/regenerate.mjs ferry
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { apps } from './apps.mjs';
import { buildRelease, bundlers, layOut, releasesOf, translate } from './lib/build-release.mjs';
import { loadEngines } from './lib/engines.mjs';
import { openSite } from './lib/site.mjs';
import { framesOf, trueFrames, withoutGuesses } from './lib/true-frames.mjs';

const [, , given] = process.argv;
const found = apps.find(({ name }) => name === given);
if (!found) throw new Error(`Name an app: ${apps.map(({ name }) => name).join(', ')}`);
const { name: app, bugs, hasTruth } = found;
const out = join(import.meta.dirname, found.captured);
const occurrences = [0, 1];

/** @typedef {{ release: string, bundler: string, files: import('./lib/build-release.mjs').Built }} Build */

const builds = await buildAll();
const { records, missed } = await captureAll();
const truth = await truthOf();
write();

async function buildAll() {
  const folder = mkdtempSync(join(tmpdir(), `${app}-`));
  /** @type {Build[]} */
  const made = [];
  for (const release of releasesOf(found)) {
    console.error(`Building ${release}`);
    layOut(found, release, folder);
    if (hasTruth) made.push({ release, bundler: 'raw', files: translate(folder) });
    for (const bundler of bundlers) made.push({ release, bundler, files: await buildRelease(found, bundler, folder) });
  }
  rmSync(folder, { recursive: true, force: true });
  return made;
}

async function captureAll() {
  const site = await openSite(app);
  const captured = [];
  const silent = [];
  for (const engine of await loadEngines()) {
    if (engine.missing) throw new Error(`${engine.name} is not installed: apt-get install ${engine.missing}`);
    console.error(`Capturing in ${engine.name}`);
    const tab = await engine.launch();
    for (const { release, bundler, files } of builds) {
      site.show(files);
      for (const occ of occurrences) {
        await tab.goto(`${site.url}?build=${bundler}-${release}-${occ}`);
        for (let tries = 0; (await tab.evaluate('String(document.documentElement.dataset.ready)')) !== 'yes'; tries++) {
          if (tries > 200) throw new Error(`The app of ${bundler} ${release} does not start in ${engine.name}.`);
        }
        for (const { id: bug } of bugs) {
          // The same values in every engine and build, so that only engines and builds differ.
          await tab.evaluate(`begin(${seedOf(`${bug} ${occ}`)})`);
          // By the mouse: a click by a script would add that script to the stack.
          await tab.click(`#${bug}`);
          const recorded = JSON.parse(await tab.evaluate('end()'));
          const about = { app, engine: engine.name.toLowerCase(), bundler, release };
          if (!recorded) {
            silent.push(`${about.engine} ${bundler} ${release} ${bug}`);
            continue;
          }
          const idOf = (/** @type {string} */ of) =>
            hash(`${bug} ${about.engine} ${of} ${release} ${occ}`).slice(0, 10);
          captured.push({
            id: idOf(bundler),
            bug_id: `${app}-${bug}`,
            ...about,
            minified: bundler !== 'raw',
            occ,
            ...recorded,
            ...(hasTruth && { truth_id: idOf('raw') }),
          });
        }
      }
    }
    await tab.close();
  }
  await site.close();
  return { records: captured, missed: silent };
}

/**
 * Returns the source locations of the frames of minified records, taken from the same error without a bundler. Leaves
 * out records whose locations are unknown.
 */
async function truthOf() {
  const byId = new Map(records.map((record) => [record.id, record]));
  const truths = [];
  for (const record of records) {
    const raw = byId.get(record.truth_id);
    if (!record.minified || !raw?.stack) continue;
    const frames = await framesWithoutBundler(raw);
    const there = framesOf(record.stack, /\/assets\//).length;
    // Inlined functions and asynchronous frames may be missing inside a stack. Then only the top frame is known.
    const aligned = there === framesOf(raw.stack, /\/(?:src|node_modules)\//).length;
    if (frames.length > 0 && there > 0 && (await keepsItsTop(raw, frames)))
      truths.push({ id: record.id, aligned, frames });
  }
  return withoutGuesses(truths, byId);
}

/** @param {{ release: string, stack: string }} raw */
async function framesWithoutBundler({ release, stack }) {
  const files = builds.find((build) => build.release === release && build.bundler === 'raw')?.files;
  return files ? trueFrames(stack, files) : [];
}

/**
 * Returns whether the top frame of an error is the right one in every build. JavaScriptCore drops frames of functions
 * that end in a call, and bundlers change how functions end. If Chromium has another top frame, the right one is
 * unknown.
 *
 * @param {any} raw
 * @param {readonly import('./lib/true-frames.mjs').TrueFrame[]} frames
 */
async function keepsItsTop(raw, [top]) {
  if (raw.engine !== 'webkit') return true;
  const { bug_id, release, occ } = raw;
  const other = records.find(
    (record) =>
      record.bug_id === bug_id &&
      record.release === release &&
      record.occ === occ &&
      record.engine === 'chromium' &&
      record.bundler === 'raw',
  );
  const [expected] = other?.stack ? await framesWithoutBundler(other) : [];
  return expected?.file === top?.file && expected?.line === top?.line;
}

function write() {
  rmSync(out, { recursive: true, force: true });
  writeGzip('records.jsonl.gz', records.map((record) => JSON.stringify(record)).join('\n'));
  if (hasTruth) writeGzip('frames-truth.jsonl.gz', truth.map((frames) => JSON.stringify(frames)).join('\n'));
  for (const { release, bundler, files } of builds) {
    if (bundler === 'raw') continue;
    for (const [path, text] of files)
      if (path.endsWith('.map')) writeGzip(`maps/${app}/${bundler}/${release}/${path.replace(/^.*\//, '')}.gz`, text);
  }
  const count = (/** @type {(record: any) => boolean} */ is) => records.filter(is).length;
  const manifest = {
    records: records.length,
    minified: count(({ minified }) => minified),
    bugs: bugs.length,
    hard_negatives: bugs.filter(({ looksLike }) => looksLike).length,
    with_stack: count(({ stack }) => Boolean(stack)),
    truth: truth.length,
    truth_aligned: truth.filter(({ aligned }) => aligned).length,
    missed,
  };
  writeFileSync(join(out, 'manifest.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  console.log(JSON.stringify(manifest, null, 2));
}

/**
 * @param {string} path
 * @param {string} text
 */
function writeGzip(path, text) {
  const file = join(out, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, gzipSync(text, { level: 9 }));
}

/** @param {string} text */
function hash(text) {
  return createHash('sha256').update(text).digest('hex');
}

/** @param {string} text */
function seedOf(text) {
  return Number.parseInt(hash(text).slice(0, 8), 16);
}
