import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryFolder } from '../measure/temporary-folder.mjs';

// A driver such as Playwright listens to the console, to errors and to the network: the page would pay for each of
// them, and the browser would keep what was logged and thrown. So here the browser is asked over its pipe, and no domain
// of its protocol is enabled.

const executable = process.env.CHROMIUM_PATH || '/usr/bin/chromium';
const longestMs = 120_000;

/**
 * A tab with a profile of its own, and so with a process of its own.
 *
 * @typedef {object} Page
 * @property {(url: URL | string) => Promise<void>} open resolves when the page has loaded and is at rest
 * @property {(expression: string) => Promise<any>} run evaluates in the page; waits for promises
 * @property {(method: string, params?: object) => Promise<any>} send a command of the protocol
 * @property {() => Promise<number>} heapBytes what is used after garbage was collected
 * @property {() => Promise<void>} close
 */

/** @typedef {Awaited<ReturnType<typeof launchChromium>>} Chromium */

export async function launchChromium() {
  if (!existsSync(executable)) throw new Error(`No Chromium at ${executable}: CHROMIUM_PATH names another.`);
  const child = spawn(
    executable,
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--disable-extensions',
      '--no-proxy-server',
      // Nothing leaves the machine, whatever a product may have in mind.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      // The certificate of a sink is made for one run.
      '--ignore-certificate-errors',
      // Tabs that are measured beside each other are all in the foreground.
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
      `--user-data-dir=${temporaryFolder()}`,
      '--remote-debugging-pipe',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  process.on('exit', () => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const send = speak(child);
  const { product } = await send('Browser.getVersion');

  return {
    version: product,
    /** @returns {Promise<Page>} */
    async newPage() {
      const { browserContextId } = await send('Target.createBrowserContext');
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      return pageOf((method, params) => send(method, params, sessionId), {
        close: () => send('Target.disposeBrowserContext', { browserContextId }),
      });
    },
    async close() {
      send('Browser.close').catch(() => {});
      await exit;
    },
  };
}

/**
 * @param {Page['send']} send
 * @param {{ close(): Promise<void> }} target
 * @returns {Page}
 */
function pageOf(send, { close }) {
  async function run(/** @type {string} */ expression) {
    const { result, exceptionDetails } = await send('Runtime.evaluate', {
      expression,
      awaitPromise: true,
      returnByValue: true,
    });
    if (exceptionDetails) {
      throw new Error(`${expression}: ${exceptionDetails.exception?.description ?? exceptionDetails.text}`);
    }
    return result.value;
  }

  return {
    send,
    run,
    async open(url) {
      const { errorText } = await send('Page.navigate', { url: String(url) });
      if (errorText) throw new Error(`${url}: ${errorText}`);
      const late = performance.now() + longestMs;
      // The page before is asked until the new one is there.
      while (
        !(await run(`location.href === ${JSON.stringify(String(url))} && !!globalThis.isCalm`).catch(() => false))
      ) {
        if (performance.now() > late) throw new Error(`${url} did not load.`);
        await sleep(20);
      }
    },
    async heapBytes() {
      // What the first collection lets go of may hold more.
      for (let times = 0; times < 3; times++) {
        await send('HeapProfiler.collectGarbage');
        await sleep(50);
      }
      return (await send('Runtime.getHeapUsage')).usedSize;
    },
    close: async () => void (await close()),
  };
}

/**
 * Speaks the protocol: messages of JSON, each ended by a NUL.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function speak(child) {
  const [, , , input, output] = /** @type {any[]} */ (child.stdio);
  /** @type {Map<number, { resolve(result: any): void, reject(error: Error): void }>} */
  const waiting = new Map();
  let lastId = 0;
  let begun = Buffer.alloc(0);
  output.on('data', (/** @type {Buffer} */ chunk) => {
    begun = Buffer.concat([begun, chunk]);
    for (let end = begun.indexOf(0); end >= 0; end = begun.indexOf(0)) {
      const { id, result, error } = JSON.parse(begun.toString('utf8', 0, end));
      begun = begun.subarray(end + 1);
      const call = waiting.get(id);
      waiting.delete(id);
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result);
    }
  });
  child.once('exit', (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`Chromium has ended: ${code}`));
    waiting.clear();
  });
  // Writing to a browser that has gone is told by its exit.
  input.on('error', () => {});

  return (/** @type {string} */ method, /** @type {object} */ params = {}, /** @type {string} */ sessionId) =>
    /** @type {Promise<any>} */ (
      new Promise((resolve, reject) => {
        const id = ++lastId;
        waiting.set(id, { resolve, reject });
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      })
    );
}
