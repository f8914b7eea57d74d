// Pages without a bundler and without a network: the files of the tarball as a web server would serve them.
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, type Packed } from '../../packages/browser/test/packed.ts';
import { startSinkServer, type Sink, type SinkServer } from '../browsers/sink.ts';
import { hasChromium, launchChromium } from '../test-utils/chromium.mjs';
import { expectOneReportEach, openFieldPage } from './field-page.ts';
import { serveFolder } from './field-project.ts';

const buttons = ['throw', 'reject', 'capture'];

const init = `init({
  apiKey: 'pk_field',
  endpoint: new URLSearchParams(location.search).get('endpoint'),
  release: '1.0.0',
});`;

const faults = `
addEventListener('securitypolicyviolation', ({ violatedDirective }) => console.warn(violatedDirective));
const faults = {
  throw() { throw new Error('throw fault'); },
  reject: () => void Promise.reject(new Error('reject fault')),
  capture: () => captureException(new Error('capture fault')),
};
for (const [id, onclick] of Object.entries(faults))
  document.body.append(Object.assign(document.createElement('button'), { id, onclick, textContent: id }));
`;

describe.skipIf(!hasChromium)('a page without a bundler', () => {
  let packed: Packed;
  let sinks: SinkServer;
  let browser: Browser;
  let root: string;

  beforeAll(async () => {
    [packed, sinks, browser] = await Promise.all([pack(), startSinkServer(), launchChromium()]);
    root = await mkdtemp(join(tmpdir(), 'service-pages-'));
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), sinks?.close(), packed?.remove()]);
    await rm(root, { recursive: true, force: true });
  });

  /** Serves files, and the `dist` of the package below `/sdk/`. */
  async function serve(
    files: Record<string, string>,
    headers?: Record<string, string>,
  ): ReturnType<typeof serveFolder> {
    const folder = await mkdtemp(join(root, 'page-'));
    await mkdir(join(folder, 'sdk'));
    await cp(join(packed.folder, 'dist'), join(folder, 'sdk'), { recursive: true });
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
    return serveFolder(folder, headers);
  }

  /** The strictest policy: no inline code, no evaluated text, no other origin but the server of the reports. */
  function policy(sink: Sink): string {
    const connect = new URL(sink.endpoint).origin;
    return `default-src 'none'; script-src 'self'; connect-src ${connect}; require-trusted-types-for 'script'; trusted-types 'none'`;
  }

  test.each(['script', 'module'])('works as a %s with a strict policy, integrity and Trusted Types', async (kind) => {
    const integrity = JSON.parse(await readFile(join(packed.folder, 'dist/integrity.json'), 'utf8')) as Record<
      string,
      string
    >;
    const script = `<script src="sdk/index.iife.js" integrity="${integrity['index.iife.js']}"></script><script src="app.js"></script>`;
    const module = '<script type="module" src="app.js"></script>';
    const imports = "import { captureException, init } from './sdk/index.js';";
    const globals = 'const { captureException, init } = ServiceSDK;';
    const sink = sinks.open();
    const site = await serve(
      {
        'index.html': `<!doctype html><body>${kind === 'script' ? script : module}</body>`,
        'app.js': `${kind === 'script' ? globals : imports}\n${init}\n${faults}`,
      },
      { 'content-security-policy': policy(sink) },
    );
    const output = await openFieldPage(browser, `${site.url}/`, sink);
    expect(await expectOneReportEach(output, sink, buttons)).toHaveLength(buttons.length);
    await output.page.close();
    await site.stop();
  });

  const classic = `importScripts('/sdk/index.iife.js');\nconst { init } = ServiceSDK;\n${init}`;
  const module = `import { init } from '/sdk/index.js';\n${init}`;
  const fail = "setTimeout(() => { throw new Error('worker fault'); });";
  const reject = "void Promise.reject(new Error('worker rejection'));";
  const onMessage = `onmessage = () => { ${fail} ${reject} };`;
  const options = "{ type: 'module' }";
  // Browsers pass an uncaught error of a dedicated worker on to the page, as docs/sdk/workers.md says.
  const onlyInWorker = "worker.addEventListener('error', (event) => event.preventDefault());";

  /** The code of each worker, and how the page starts it and sends it a message. */
  const workers: [kind: string, worker: string, page: string][] = [
    [
      'dedicated worker, a classic script',
      `${classic}\n${onMessage}`,
      `const worker = new Worker(url); ${onlyInWorker} worker.postMessage(0);`,
    ],
    [
      'dedicated worker, a module',
      `${module}\n${onMessage}`,
      `const worker = new Worker(url, ${options}); ${onlyInWorker} worker.postMessage(0);`,
    ],
    [
      'shared worker, a module',
      `${module}\nonconnect = ({ ports: [port] }) => { port.onmessage = () => { ${fail} ${reject} }; };`,
      `new SharedWorker(url, ${options}).port.postMessage(0);`,
    ],
    [
      'service worker, a classic script',
      `${classic}\n${onMessage}\nonactivate = (event) => event.waitUntil(clients.claim());`,
      `navigator.serviceWorker.register(url);
       navigator.serviceWorker.ready.then(({ active }) => active.postMessage(0));`,
    ],
  ];

  test.each(workers)(
    '%s reports each of its errors once, although the page has the SDK, too',
    async (_, worker, page) => {
      const sink = sinks.open();
      const site = await serve({
        'index.html': '<!doctype html><link rel="icon" href="data:," /><script type="module" src="app.js"></script>',
        'worker.js': worker,
        'app.js': `import { init } from './sdk/index.js';\n${init}\nconst url = 'worker.js' + location.search;\n${page}`,
      });
      const output = await openFieldPage(browser, `${site.url}/`, sink);
      await sink.reports(2);
      await output.page.waitForTimeout(500);
      const reports = await sink.reports(2);
      expect(reports.map(({ message, url }) => `${message} ${new URL(url ?? '').pathname}`).toSorted()).toEqual([
        'worker fault /worker.js',
        'worker rejection /worker.js',
      ]);
      expect(output.warnings).toEqual([]);
      await output.page.close();
      await site.stop();
    },
  );

  test('an uncaught error of a dedicated worker without the SDK is reported by the page, once', async () => {
    const sink = sinks.open();
    const site = await serve({
      'index.html': '<!doctype html><link rel="icon" href="data:," /><script type="module" src="app.js"></script>',
      'worker.js': `onmessage = () => { ${fail} };`,
      'app.js': `import { init } from './sdk/index.js';\n${init}\nnew Worker('worker.js').postMessage(0);`,
    });
    const output = await openFieldPage(browser, `${site.url}/`, sink);
    await sink.reports(1);
    await output.page.waitForTimeout(500);
    const reports = await sink.reports(1);
    expect(reports.map(({ message }) => message)).toEqual([expect.stringContaining('worker fault')]);
    expect(reports[0]?.stacktrace).toContain('/worker.js:1:');
    await output.page.close();
    await site.stop();
  });
});
