// Runs in a separate process: resolves with one library and one new map, and prints the costs.
import { readFileSync } from 'node:fs';
import { resolvers } from './resolvers.mjs';

const [name = '', module = '', warmMap = '', warmIndex = '', map = '', index = '', positionsFile = ''] =
  process.argv.slice(2);
/** @type {{ warm: import('./resolvers.mjs').Position[], cold: import('./resolvers.mjs').Position[] }} */
const positions = JSON.parse(readFileSync(positionsFile, 'utf8'));
const open = await resolvers[name](module);

// Warms up, because the code of a running server is compiled already.
const small = await open(warmMap, warmIndex);
for (let round = 0; round < 20; round++) for (const position of positions.warm) await small(position);

globalThis.gc?.();
const before = process.memoryUsage.rss();
const start = process.cpuUsage();
const resolve = await open(map, index);
const found = [];
for (const position of positions.cold) found.push(await resolve(position));
const coldMs = cpuMs(start);
const moreMb = (process.memoryUsage.rss() - before) / 1e6;

const rounds = 10;
const again = process.cpuUsage();
for (let round = 0; round < rounds; round++) for (const position of positions.cold) await resolve(position);
const warmMicroseconds = (1_000 * cpuMs(again)) / rounds / positions.cold.length;
console.log(JSON.stringify({ coldMs, moreMb, warmMicroseconds, found }));

/** @param {NodeJS.CpuUsage} since */
function cpuMs(since) {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
