// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromiumFlags, chromiumPath, hasChromium } from './chromium.mjs';

// Benchmarks cannot use Playwright: it subscribes to the console, errors and the network. Each subscription slows the
// page, and the browser retains the logged and thrown values. This driver sends DevTools commands over a pipe and
// enables no domain of the protocol.

const loadTimeoutMs = 120_000;

/**
 * A tab with its own profile, and therefore its own process.
 *
 * @typedef {object} PipedPage
 * @property {(url: URL | string) => Promise<void>} open resolves when the page has loaded and has set `isCalm`
 * @property {(expression: string) => Promise<any>} run evaluates in the page and awaits a promise
 * @property {(method: string, params?: object) => Promise<any>} send sends a DevTools command
 * @property {() => Promise<number>} heapBytes collects garbage and returns the bytes in use
 * @property {() => Promise<void>} close
 */

/** @typedef {Awaited<ReturnType<typeof launchPipedChromium>>} PipedChromium */

/**
 * Launches Chromium, driven over a pipe.
 *
 * @param {string} profileFolder an empty folder, which the caller removes
 */
export async function launchPipedChromium(profileFolder) {
  if (!hasChromium) throw new Error(`Chromium is missing at ${chromiumPath}. Set CHROMIUM_PATH to another one.`);
  const child = spawn(
    chromiumPath,
    [
      '--headless',
      ...chromiumFlags,
      '--disable-extensions',
      '--no-proxy-server',
      // No request of a measured product leaves the machine.
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
      // The certificate of a sink is created for one run.
      '--ignore-certificate-errors',
      // Tabs that are measured at the same time all run at foreground speed.
      '--disable-background-timer-throttling',
      '--disable-backgrounding-occluded-windows',
      '--disable-renderer-backgrounding',
      `--user-data-dir=${profileFolder}`,
      '--remote-debugging-pipe',
      'about:blank',
    ],
    { stdio: ['ignore', 'ignore', 'ignore', 'pipe', 'pipe'] },
  );
  process.on('exit', () => child.kill('SIGKILL'));
  const exit = once(child, 'exit');
  const send = openPipe(child);
  const { product } = await send('Browser.getVersion');

  return {
    version: product,
    /** @returns {Promise<PipedPage>} */
    async newPage() {
      const { browserContextId } = await send('Target.createBrowserContext');
      const { targetId } = await send('Target.createTarget', { url: 'about:blank', browserContextId });
      const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
      return createPage((method, params) => send(method, params, sessionId), {
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
 * @param {PipedPage['send']} send
 * @param {{ close(): Promise<void> }} target
 * @returns {PipedPage}
 */
function createPage(send, { close }) {
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
      const deadline = performance.now() + loadTimeoutMs;
      // Until the new page replaces it, the previous one answers.
      while (
        !(await run(`location.href === ${JSON.stringify(String(url))} && !!globalThis.isCalm`).catch(() => false))
      ) {
        if (performance.now() > deadline) throw new Error(`${url} did not load.`);
        await sleep(20);
      }
    },
    async heapBytes() {
      // Finalizers that the first collection runs may release more.
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
 * Returns a function that sends DevTools commands: JSON messages, each terminated by a NUL.
 *
 * @param {import('node:child_process').ChildProcess} child
 */
function openPipe(child) {
  const [, , , input, output] = /** @type {any[]} */ (child.stdio);
  /** @type {Map<number, { resolve(result: any): void, reject(error: Error): void }>} */
  const pending = new Map();
  let lastId = 0;
  let buffered = Buffer.alloc(0);
  output.on('data', (/** @type {Buffer} */ chunk) => {
    buffered = Buffer.concat([buffered, chunk]);
    for (let end = buffered.indexOf(0); end >= 0; end = buffered.indexOf(0)) {
      const { id, result, error } = JSON.parse(buffered.toString('utf8', 0, end));
      buffered = buffered.subarray(end + 1);
      const call = pending.get(id);
      pending.delete(id);
      if (error) call?.reject(new Error(error.message));
      else call?.resolve(result);
    }
  });
  child.once('exit', (code) => {
    for (const { reject } of pending.values()) reject(new Error(`Chromium exited with code ${code}.`));
    pending.clear();
  });
  // A write to a browser that has exited is reported by the exit event.
  input.on('error', () => {});

  return (
    /** @type {string} */ method,
    /** @type {object} */ params = {},
    /** @type {string | undefined} */ sessionId = undefined,
  ) =>
    /** @type {Promise<any>} */ (
      new Promise((resolve, reject) => {
        const id = ++lastId;
        pending.set(id, { resolve, reject });
        input.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
      })
    );
}
