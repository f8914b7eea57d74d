// A tenant that sends as much as the server accepts, in its own process: node flood.mjs JSON. Runs until SIGTERM, then
// sends the counts of its responses by kind and status to its parent process. Every rejection is fine; a connection
// that the server closes is opened again.
import { randomBytes } from 'node:crypto';
import { constants, setPriority } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { randomFraction } from '../../test/test-utils/seeded-random.mjs';
import { openExchange } from './exchange.mjs';
import { reportRequests } from './report-requests.mjs';
import { request } from './request.mjs';
import { openReader } from './stream-reader.mjs';
import { wordsOf } from './number-words.mjs';

/**
 * @typedef {object} FloodOptions
 * @property {string} url
 * @property {number} projectId
 * @property {string} apiKey
 * @property {readonly string[]} tokens of one user, each with its own streams
 * @property {readonly FloodKind[]} kinds
 */

/** @typedef {'reports' | 'huge reports' | 'uploads' | 'streams' | 'searches' | 'cold stacks'} FloodKind */

const {
  url: address,
  projectId,
  apiKey,
  tokens,
  kinds,
} = /** @type {FloodOptions} */ (JSON.parse(process.argv[2] ?? '{}'));
const url = new URL(address);
const reportsUrl = new URL('/api/v1/errors', url);
const authorized = { Authorization: `Bearer ${tokens[0]}` };
const random = randomFraction(7);
const whole = (/** @type {number} */ below) => Math.floor(random() * below);

/** @type {Map<string, number>} */
const counts = new Map();
const stopping = new AbortController();

/**
 * Sends requests one after the other on each connection, as fast as the server responds.
 *
 * @param {FloodKind} kind
 * @param {number} connections
 * @param {() => Buffer} next
 */
async function sendAll(kind, connections, next) {
  await Promise.all(Array.from({ length: connections }, () => sendOnOne(kind, next)));
}

/**
 * @param {FloodKind} kind
 * @param {() => Buffer} next
 */
async function sendOnOne(kind, next) {
  while (!stopping.signal.aborted) {
    await sendUntilClosed(kind, next).catch(() => count(`${kind} not connected`));
    await sleep(10);
  }
}

/**
 * @param {FloodKind} kind
 * @param {() => Buffer} next
 */
async function sendUntilClosed(kind, next) {
  const connection = await openExchange(url);
  for (let status = 1; status !== 0 && !stopping.signal.aborted;) {
    status = await connection.exchange(next());
    count(`${kind} ${status === 0 ? 'closed' : status}`);
  }
  connection.close();
}

/** @param {string} what */
function count(what) {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

const noise = () => randomBytes(6_000).toString('base64');

/** Bodies of one megabyte, compressed and not, with texts that hardly shrink. */
function hugeReports() {
  const bodies = Array.from({ length: 8 }, () => {
    const metadata = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`field ${index}`, noise()]));
    return JSON.stringify({ project_api_key: apiKey, message: `Huge ${noise()}`, metadata });
  });
  return bodies.map((body, index) => rawPost(reportsUrl, body, index % 2 === 0 ? {} : { 'Content-Encoding': 'gzip' }));
}

/**
 * @param {URL} to
 * @param {string | Buffer} body
 * @param {Record<string, string>} headers `Content-Encoding: gzip` compresses the body
 */
function rawPost(to, body, headers) {
  const bytes = headers['Content-Encoding'] ? gzipSync(body) : Buffer.from(body);
  const all = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers };
  return Buffer.concat([request('POST', to, { headers: all }), bytes]);
}

const functionLine = () =>
  `export function f${whole(1e9).toString(36)}(a, b) { return b.items.map((i) => i.price + ${whole(99)})[a]; }`;

/**
 * Returns a source map of about `bytes` bytes, with the source of functions, one a line. The bundle has a single line.
 *
 * @param {string} name
 * @param {number} bytes
 */
function mapOf(name, bytes) {
  const lines = Math.ceil(bytes / 90);
  const source = Array.from({ length: lines }, functionLine).join('\n');
  // Every tenth column of the bundle maps to the next line of the source.
  const mappings = `AAAA${',UACA'.repeat(lines - 1)}`;
  return JSON.stringify({
    version: 3,
    file: name,
    sources: [`src/${name}.ts`],
    names: [],
    mappings,
    sourcesContent: [source],
  });
}

/** @param {string} name @param {number} bytes */
function upload(name, bytes) {
  const boundary = 'benchmark-boundary';
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="${name}.map"\r\n\r\n`;
  return rawPost(
    new URL(`/api/v1/projects/${projectId}/source-maps`, url),
    `${head}${mapOf(name, bytes)}\r\n--${boundary}--\r\n`,
    {
      ...authorized,
      'Content-Type': `multipart/form-data; boundary=${boundary}`,
    },
  );
}

const coldMaps = 40;
const coldMapBytes = 400_000;
let coldReports = 0;

/** Returns a report with frames at random positions of many maps, so that caches of maps and positions help little. */
function coldStack() {
  const frames = Array.from({ length: 8 }, () => {
    const column = 1 + 10 * whole(coldMapBytes / 90);
    return `    at f (https://shop.example/cold${whole(coldMaps)}.js:1:${column})`;
  });
  const { thing, part, operation } = wordsOf(coldReports++ % 1_000);
  const message = `${operation} ${thing} ${part}`;
  const body = {
    project_api_key: apiKey,
    type: 'Error',
    message,
    stacktrace: [`Error: ${message}`, ...frames].join('\n'),
  };
  return request('POST', reportsUrl, { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) });
}

/** @type {Record<FloodKind, () => Promise<void>>} */
const floods = {
  async reports() {
    const requests = reportRequests({ url: reportsUrl, apiKey, groups: 20_000, seed: 5 }).take(20_000);
    let sent = 0;
    await sendAll('reports', 32, () => requests[sent++ % requests.length]);
  },
  async 'huge reports'() {
    const requests = hugeReports();
    let sent = 0;
    await sendAll('huge reports', 8, () => requests[sent++ % requests.length]);
  },
  async uploads() {
    const requests = Array.from({ length: 6 }, (_, index) => upload(`upload${index}.js`, 3_000_000));
    let sent = 0;
    await sendAll('uploads', 6, () => requests[sent++ % requests.length]);
  },
  async streams() {
    const readers = await Promise.all(
      tokens.flatMap((token) => Array.from({ length: 20 }, () => openReader(url, token))),
    );
    counts.set('streams open', readers.length);
    while (!stopping.signal.aborted) await sleep(50);
    for (const reader of readers) reader.close();
  },
  async searches() {
    await sendAll('searches', 8, () => {
      const { thing, part, operation } = wordsOf(whole(100_000));
      const search = `${operation} ${thing.slice(0, 1 + whole(5))} ${part}`;
      return request('GET', new URL(`/api/v1/errors?${new URLSearchParams({ search, sort: 'count' })}`, url), {
        headers: authorized,
      });
    });
  },
  async 'cold stacks'() {
    let uploaded = 0;
    const names = Array.from({ length: coldMaps }, (_, index) => `cold${index}.js`);
    for (const name of names) {
      const connection = await openExchange(url);
      const status = await connection.exchange(upload(name, coldMapBytes));
      if (status === 201 || status === 200) uploaded++;
      connection.close();
    }
    counts.set('cold stacks maps', uploaded);
    process.send?.('ready');
    await sendAll('cold stacks', 8, coldStack);
  },
};

// The process that measures has the same core: it must not wait for this one.
setPriority(constants.priority.PRIORITY_LOW);
process.on('SIGTERM', () => {
  stopping.abort();
  process.send?.(Object.fromEntries(counts), () => process.exit());
});
// Without a flood, this timer is all that prevents the process from ending.
setInterval(() => {}, 60_000);
const running = kinds.map((kind) => floods[kind]());
if (!kinds.includes('cold stacks')) process.send?.('ready');
await Promise.all(running);
