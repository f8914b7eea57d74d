import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { SeededRandom } from '../../test/test-utils/seeded-random.mjs';
import { buildModule, writeModule } from '../measure/build-module.mjs';
import { median } from '../measure/statistics.mjs';
import { progress } from '../output/progress.mjs';

const script = join(import.meta.dirname, 'resolve.mjs');
const contenders = ['service, its index', 'source-map', '@jridgewell/trace-mapping'];
const pieceBytes = 64 * 1024;

/**
 * @typedef {object} Resolving
 * @property {string} contender
 * @property {string} bundle
 * @property {number} mapMb
 * @property {number} coldMs CPU of all locations of a new map
 * @property {number} moreMb added resident memory
 * @property {number} warmMicroseconds CPU of a location that is resolved again
 */

/**
 * Measures how each resolver resolves some locations of each bundle, in a fresh process per round. All resolvers must
 * agree.
 *
 * @param {import('./bundles.mjs').Bundle[]} bundles the first one also warms up each process
 * @param {string} folder
 * @param {{ frames: number, rounds: number }} options
 * @returns {Promise<Resolving[]>}
 */
export async function measureResolving(bundles, folder, { frames, rounds }) {
  const module = join(folder, 'map-index.mjs');
  await writeModule('server/src/symbolication/map-index/map-index.ts', module);
  const { SourceMapIndexer } = await buildModule('server/src/symbolication/indexing/source-map-indexer.ts');
  const ready = bundles.map((bundle) => {
    progress(`${bundle.name}: index`);
    const index = join(folder, `${bundle.name}.index`);
    const bytes = readFileSync(bundle.map);
    writeFileSync(index, indexOf(new SourceMapIndexer(), bytes));
    return { ...bundle, index, mapMb: bytes.length / 1e6, positions: somePositions(bundle, frames) };
  });
  const [small] = ready;
  /** @type {Resolving[]} */
  const results = [];
  for (const { name, map, index, mapMb, positions } of ready) {
    const positionsFile = join(folder, `${name}.positions.json`);
    writeFileSync(positionsFile, JSON.stringify({ warm: small.positions, cold: positions }));
    progress(`${name}: ${frames} frames, ${rounds} fresh processes for each resolver`);
    const runs = contenders.map(() => /** @type {any[]} */ ([]));
    for (let round = 0; round < rounds; round++) {
      for (const [at, contender] of contenders.entries())
        runs[at].push(resolve([contender, module, small.map, small.index, map, index, positionsFile]));
    }
    assertSame(
      name,
      runs.map(([{ found }]) => found),
    );
    for (const [at, contender] of contenders.entries()) {
      const of = (/** @type {string} */ key) => median(runs[at].map((one) => one[key]));
      const [coldMs, moreMb, warmMicroseconds] = [of('coldMs'), of('moreMb'), of('warmMicroseconds')];
      results.push({ contender, bundle: name, mapMb, coldMs, moreMb, warmMicroseconds });
    }
  }
  return results;
}

/**
 * @param {any} indexer
 * @param {Buffer} map
 */
function indexOf(indexer, map) {
  const pieces = [];
  for (let at = 0; at < map.length; at += pieceBytes) pieces.push(...indexer.push(map.subarray(at, at + pieceBytes)));
  return Buffer.concat([...pieces, ...indexer.finish().pieces]);
}

/** @param {string[]} args */
function resolve(args) {
  const output = execFileSync(process.execPath, ['--expose-gc', script, ...args], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return JSON.parse(output);
}

/**
 * Returns locations spread over the minified file that have an original location.
 *
 * @param {import('./bundles.mjs').Bundle} bundle
 * @param {number} count
 * @returns {import('./resolvers.mjs').Position[]}
 */
export function somePositions({ script: path, map }, count) {
  const { TraceMap, originalPositionFor } = createRequire(import.meta.url)('@jridgewell/trace-mapping');
  const traced = new TraceMap(readFileSync(map, 'utf8'));
  const lines = readFileSync(path, 'utf8').split('\n');
  const starts = lines.map(
    (
      (at) => (/** @type {string} */ line) =>
        (at += line.length + 1) - line.length - 1
    )(0),
  );
  const length = lines.reduce((sum, line) => sum + line.length + 1, 0);
  const positions = [];
  const random = new SeededRandom(7);
  while (positions.length < count) {
    const at = random.below(length);
    const line = starts.findLastIndex((start) => start <= at);
    const position = { line: line + 1, column: at - (starts[line] ?? 0) };
    if (originalPositionFor(traced, position).source !== null) positions.push(position);
  }
  return positions;
}

/**
 * @param {string} bundle
 * @param {(import('./resolvers.mjs').Found | null)[][]} found by each resolver
 */
function assertSame(bundle, found) {
  const short = found.map((all) =>
    JSON.stringify(
      all.map((one) => one && [one.file, one.line, one.context.map((line) => line.slice(0, 100).trimEnd())]),
    ),
  );
  if (new Set(short).size > 1) {
    const [ours, ...others] = found;
    const at = (ours ?? []).findIndex((one, index) =>
      others.some((other) => JSON.stringify(other[index]) !== JSON.stringify(one)),
    );
    throw new Error(`${bundle}: the resolvers disagree: ${JSON.stringify(found.map((all) => all[at]))}`);
  }
}
