import { buildModule } from './measure/build-module.mjs';
import { progress } from './output/progress.mjs';
import { figure, table } from './output/table.mjs';

export const title = 'Stacks: CPU of parsing slow stack traces, and traces twice as long';

export const defaults = {
  rounds: 7,
};

/** The longest trace that a report may carry. */
const longest = 64 * 1024;
const calls = 20;
/** A faster call counts as this fast: its time is that of the clock and of the memory for the text. */
const leastMs = 0.05;

/** Pieces of traces of every engine and of Python. Each is repeated until the text is long enough. */
const pieces = [
  'at ',
  'async ',
  '(',
  ')',
  '@',
  ':1',
  ':',
  ' ',
  '\n',
  'a',
  '/<',
  '*',
  '<anonymous>',
  'http://',
  'eval at ',
  ' line 1 > eval',
  '[native code]',
  ':wasm-function[1]:0x1',
  'Caused by: ',
  '    at f (https://shop.example/a.js:1:2)\n',
  '    at async f (eval at g (https://shop.example/a.js:1:2), <anonymous>:1:2)\n',
  'f/g<@https://shop.example/a.js:1:2\n',
  'async*f@https://shop.example/a.js line 1 > eval:1:2\n',
  'Caused by: Error: no\n',
  'Traceback (most recent call last):\n',
  'Traceback (most recent call last):',
  '  File "/app/a.py", line 1, in <listcomp>\n',
  '  File "/app/a.py", line 1',
  'During handling of the above exception, another exception occurred:\n\n',
  '  + Exception Group Traceback (most recent call last):\n  | ',
];

/** @param {typeof defaults} options */
export async function run({ rounds }) {
  const { parseStack } = await buildModule('server/src/stack/parse-stack.ts');
  const rows = pieces.map((piece) => {
    progress(JSON.stringify(piece));
    const [half, whole, twice] = [longest / 2, longest, 2 * longest].map((length) =>
      quickestMs(parseStack, (count) => textOf(piece, length, count), rounds),
    );
    return { piece, half, whole, twice, growth: Math.max(timesAsLong(half, whole), timesAsLong(whole, twice)) };
  });
  const text = table(
    ['repeated piece', '32 KiB, ms', '64 KiB, ms', '128 KiB, ms', 'growth'],
    rows.map(({ piece, half, whole, twice, growth }) => [
      JSON.stringify(piece).slice(0, 50),
      ...[half, whole, twice].map((ms) => figure(ms, 3)),
      figure(growth, 2),
    ]),
  );
  const slowest = Math.max(...rows.map(({ whole }) => whole));
  const steepest = Math.max(...rows.map(({ growth }) => growth));
  return {
    text,
    checks: [
      { name: '64 KiB of any of these', value: slowest, unit: 'ms', atMost: 20 },
      { name: 'time for twice the text ÷ time for the text', value: steepest, unit: '', atMost: 3 },
    ],
    data: rows,
  };
}

/** @param {number} short @param {number} long */
function timesAsLong(short, long) {
  return Math.max(long, leastMs) / Math.max(short, leastMs);
}

/**
 * Returns a text that differs for each `count`, because known ones are not parsed again. It is one flat string, like a
 * received body.
 *
 * @param {string} piece
 * @param {number} length
 * @param {number} count
 */
function textOf(piece, length, count) {
  return Buffer.from(`${count}${piece.repeat(Math.ceil(length / piece.length))}`.slice(0, length)).toString('latin1');
}

/**
 * Returns the CPU milliseconds of one call in the fastest round: other work of the machine only makes a round slower.
 *
 * @param {(text: string) => unknown} call
 * @param {(count: number) => string} make
 * @param {number} rounds
 */
function quickestMs(call, make, rounds) {
  let best = Infinity;
  for (let round = 0; round < rounds; round++) {
    const texts = Array.from({ length: calls }, (_, index) => make(round * calls + index));
    const start = process.cpuUsage();
    for (const text of texts) call(text);
    const { user, system } = process.cpuUsage(start);
    best = Math.min(best, (user + system) / 1_000 / calls);
  }
  return best;
}
