import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { median, percentile } from './measure/statistics.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';

export const title = 'Python: capturing an exception, and the requests of an app whose server fails';

export const defaults = {
  clients: 50,
  requests: 3_000,
  rounds: 3,
};

const servers = ['accepting', 'refused', 'unknown', 'silent', 'half', 'slow', 'reset', '401', '429'];
const python = findPython();

/** @param {typeof defaults} options */
export async function run({ clients, requests, rounds }) {
  const captures = ['service', ...(has('sentry_sdk') ? ['sentry'] : [])].map((name) => {
    progress(`capture: ${name}`);
    const { first, others } = measure('capture.py', name, clients);
    return { name, first: median(first), others: median(others) };
  });
  const latencies = measureLatencies(requests, rounds);
  const [without, ...withSdk] = latencies;
  const text = [
    table(
      ['µs of CPU on the calling thread, 20 frames', 'first', 'others'],
      captures.map(({ name, first, others }) => [name, figure(first), figure(others)]),
    ),
    table(
      ['ms of a request', 'median', 'p99'],
      latencies.map(({ server, p50, p99 }) => [server, figure(p50, 3), figure(p99, 3)]),
    ),
  ].join('\n\n');
  const [ours] = captures;
  const slowest = Math.max(...withSdk.map(({ p99 }) => p99));
  return {
    text,
    checks: [
      { name: 'capture, except the first of a client', value: ours.others, unit: 'µs', atMost: 150 },
      { name: 'capture, the first of a client', value: ours.first, unit: 'µs', atMost: 150 },
      { name: 'p99 of a request, worst server − without the SDK', value: slowest - without.p99, unit: 'ms', atMost: 1 },
    ],
    data: { python, captures, latencies },
  };
}

/**
 * Returns the median and the p99 for each server, `none` first. Both are medians of the rounds.
 *
 * @param {number} requests
 * @param {number} rounds
 */
function measureLatencies(requests, rounds) {
  const all = ['none', ...servers];
  const found = all.map((server) => ({ server, p50: [], p99: [] }));
  for (let round = 0; round < rounds; round++) {
    for (const { server, p50, p99 } of found) {
      progress(`round ${round + 1}: ${server}`);
      const times = measure('latency.py', server, requests);
      p50.push(median(times));
      p99.push(percentile(times, 99));
    }
  }
  return found.map(({ server, p50, p99 }) => ({ server, p50: median(p50), p99: median(p99) }));
}

/**
 * @param {string} script
 * @param {...(string | number)} args
 */
function measure(script, ...args) {
  const path = fileURLToPath(new URL(`python/${script}`, import.meta.url));
  const folder = fileURLToPath(new URL('../packages/python', import.meta.url));
  const env = { ...process.env, PYTHONPATH: `${folder}/src:${folder}`, PYTHONDONTWRITEBYTECODE: '1' };
  return JSON.parse(
    execFileSync(python, [path, ...args.map(String)], { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }),
  );
}

/** Returns an interpreter that has Sentry's SDK, otherwise the first one on the PATH. */
function findPython() {
  return ['python3', '/usr/bin/python3'].find((name) => has('sentry_sdk', name)) ?? 'python3';
}

/** @param {string} module @param {string} [interpreter] */
function has(module, interpreter = python) {
  try {
    execFileSync(interpreter, ['-c', `import ${module}`], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
