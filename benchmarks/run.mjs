import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { checkTable, isMet } from './output/check.mjs';
import { machine } from './output/machine.mjs';
import { prepare } from './prepare.mjs';

const names = [
  'ingest',
  'boot',
  'lists',
  'disk',
  'compaction',
  'fairness',
  'sdk',
  'stacks',
  'stream',
  'grouping',
  'maps',
  'dashboard',
  'python',
  'cluster',
];

/**
 * The exports of a benchmark module.
 *
 * @typedef {object} Benchmark
 * @property {string} title
 * @property {Record<string, number | string>} defaults options that flags may change: `spotlightRequests` is --spotlight-requests
 * @property {Record<string, number>} [full] the options that --full changes
 * @property {(options: any) => Promise<{ text: string, checks: import('./output/check.mjs').Check[], data: unknown }>} run
 */

const [name, ...flags] = process.argv.slice(2);
if (name === undefined || !names.includes(name)) {
  console.error(`npm run bench -- ${names.join('|')} [flags]; benchmarks/README.md lists them.`);
  process.exit(1);
}

prepare();
/** @type {Benchmark} */
const benchmark = await import(`./${name}.mjs`);
const { strict, options } = readFlags(benchmark, flags);
const where = machine();
console.error(`${benchmark.title} (${where.cpu}, ${where.cores} cores, Node ${where.node}, commit ${where.commit})`);

const { text, checks, data } = await benchmark.run(options);
console.log(`\n${benchmark.title}\n\n${text}\n\n${checkTable(checks)}\n`);
console.log(`Written: ${write()}`);
process.exit(strict && !checks.every(isMet) ? 1 : 0);

/**
 * @param {Benchmark} benchmark
 * @param {string[]} args
 */
function readFlags({ defaults, full }, args) {
  const { values } = parseArgs({
    args,
    options: {
      strict: { type: 'boolean' },
      ...(full && { full: { type: 'boolean' } }),
      ...Object.fromEntries(Object.keys(defaults).map((option) => [flagOf(option), { type: 'string' }])),
    },
  });
  const chosen = { ...defaults, ...(values.full ? full : {}) };
  for (const option of Object.keys(defaults)) {
    const value = values[flagOf(option)];
    if (value === undefined) continue;
    if (typeof defaults[option] === 'string') {
      chosen[option] = value;
      continue;
    }
    if (!/^[1-9]\d*$/.test(value)) throw new Error(`--${flagOf(option)}: expected a whole number above 0`);
    chosen[option] = Number(value);
  }
  return { strict: values.strict === true, options: chosen };
}

/** @param {string} option */
function flagOf(option) {
  return option.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function write() {
  const folder = join(import.meta.dirname, 'results');
  mkdirSync(folder, { recursive: true });
  const path = join(folder, `${name}-${where.at.replaceAll(/[:.]/g, '-')}.json`);
  const checked = checks.map((check) => ({ ...check, met: isMet(check) }));
  writeFileSync(
    path,
    `${JSON.stringify({ benchmark: name, machine: where, options, checks: checked, data }, null, 2)}\n`,
  );
  return path;
}
