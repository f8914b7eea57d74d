import { expect } from 'vitest';
import type { Promised } from './promised.ts';
import type { Scene } from '../scene.ts';

export const strictCsp: Promised = {
  promise: 'A strict Content-Security-Policy with Trusted Types: nothing is violated, errors arrive',
  cases: {
    'as a script': (scene) => underCsp(scene, 'script'),
    'as modules': (scene) => underCsp(scene, 'module'),
  },
};

async function underCsp({ open, sink, tab }: Scene, sdk: 'script' | 'module'): Promise<void> {
  const { origin } = new URL(sink.endpoint);
  const policy = `default-src 'self'; connect-src 'self' ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
  const page = await open({
    sdk,
    html: '<button>Buy</button>',
    headers: { 'content-security-policy': policy },
    before: () => {
      self.violations = [];
      addEventListener('securitypolicyviolation', ({ violatedDirective }) => self.violations.push(violatedDirective));
    },
    script: () => {
      console.log('a line', { of: 'the page' });
      history.pushState(null, '', '?step=2');
      // In a task of the page: what tests evaluate may do more than the page.
      self.whatIsRefused = () =>
        new Promise((resolve) => {
          setTimeout(() => {
            const attempts = [() => new Function('return 1')(), () => (document.body.innerHTML = '<p>')];
            resolve(
              attempts.map((attempt) => {
                try {
                  return attempt();
                } catch {
                  return 'refused';
                }
              }),
            );
          });
        });
      throw new TypeError('under a policy');
    },
  });
  await tab.click('button');
  await page.run(async () => {
    await fetch('script.js');
    ServiceSDK.captureException(new Error('captured'));
  });
  const reports = await sink.reports(2);
  await page.flush();
  expect(reports.map(({ message }) => message).toSorted()).toEqual(['captured', 'under a policy']);
  expect(await page.run(() => self.violations)).toEqual([]);
  // The policy is in force, and Trusted Types are there.
  expect(await page.run(() => self.whatIsRefused())).toEqual(['refused', 'refused']);
}

export const workers: Promised = {
  promise: 'In a worker errors and rejections arrive, with its own URL',
  cases: {
    'a classic worker': (scene) => inWorker(scene, {}, `importScripts('/sdk/index.iife.js');`),
    'a module worker': (scene) => inWorker(scene, { type: 'module' }, `import * as ServiceSDK from '/sdk/index.js';`),
  },
};

async function inWorker({ add, tab, sink }: Scene, options: WorkerOptions, load: string): Promise<void> {
  const worker = `${load}
    ServiceSDK.init({ apiKey: 'pk_browsers', endpoint: ${JSON.stringify(sink.endpoint)} });
    console.log('begun');
    setTimeout(function compute() { throw new TypeError('no work'); });
    Promise.reject(new RangeError('too much work'));
    addEventListener('message', () => {
      ServiceSDK.close();
      ServiceSDK.init({ apiKey: 'pk_browsers', endpoint: ${JSON.stringify(sink.endpoint)} });
      throw new Error('started anew, at work');
    });`;
  const url = add({
    options: null,
    files: { 'worker.js': worker, 'start.js': `self.worker = new Worker('worker.js', ${JSON.stringify(options)});` },
    html: '<script src="start.js"></script>',
  });
  await tab.goto(url);
  const reports = (await sink.reports(2)).toSorted((a, b) => a.message.length - b.message.length);
  expect(reports).toMatchObject([
    { type: 'TypeError', message: 'no work', url: `${url}worker.js` },
    { type: 'RangeError', message: 'too much work', url: `${url}worker.js` },
  ]);
  expect(reports[0]?.stacktrace).toMatch(/compute.*worker\.js:\d+:\d+/);
  expect(reports[0]?.breadcrumbs).toMatchObject([{ category: 'console', data: { arguments: ['begun'] } }]);
  await tab.evaluate(`String(worker.postMessage('again'))`);
  expect((await sink.reports(3)).map(({ message }) => message)).toContain('started anew, at work');
}

export const sandboxed: Promised = {
  promise: 'In a sandboxed frame it tries, is refused and says so; nothing breaks',
  cases: {
    'its origin is null': async ({ open, add, sink, page }) => {
      sink.allows = (origin) => origin !== 'null';
      const url = add({
        script: () => {
          // Thrown, it would be a `Script error.`, for here every file is of another origin.
          ServiceSDK.captureException(new Error('in the sandbox'));
          const tell = (): void => {
            if (sdkLines.length > 0) parent.postMessage(sdkLines, '*');
            else setTimeout(tell, 10);
          };
          tell();
        },
      });
      await open({
        html: `<iframe sandbox="allow-scripts" src="${url}"></iframe>`,
        options: null,
        before: () => {
          self.framesSaid = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)));
        },
      });
      expect(await page.run(() => self.framesSaid)).toEqual([expect.stringMatching(/allow-list/)]);
      expect(sink.requests.length).toBeGreaterThan(0);
      expect(new Set(sink.requests.map(({ headers }) => headers.origin))).toEqual(new Set(['null']));
      expect(sink.posts()).toEqual([]);
    },
  },
};

export const clobbered: Promised = {
  promise: 'Elements named like properties of the DOM break nothing',
  cases: {
    'a form whose fields hide what is its own': async ({ open, tab, sink, page }) => {
      const names = ['id', 'localName', 'tagName', 'nodeType', 'classList', 'className', 'name', 'type', 'attributes'];
      const more = ['getAttribute', 'closest', 'parentNode', 'addEventListener', 'ownerDocument', 'matches'];
      await open({
        html: `<form id="order" class="wide" style="padding: 40px" onsubmit="return false">
            ${[...names, ...more].map((name) => `<input type="hidden" name="${name}">`).join('')}
            <button id="pay">Pay</button></form>
          <img name="cookie"><a id="fetch"></a><a id="crypto"></a><img name="location"><form name="history"></form>`,
      });
      await tab.click('#pay');
      await page.run(() => document.querySelector('form')?.dispatchEvent(new MouseEvent('click', { bubbles: true })));
      await page.run(() => ServiceSDK.captureException(new Error('after the clicks')));
      const [report] = await sink.reports(1);
      const clicks = report?.breadcrumbs?.filter(({ category }) => category === 'click');
      expect(clicks?.map(({ data }) => data.selector)).toEqual([
        expect.stringMatching(/^button#pay/),
        expect.stringMatching(/^form#order\.wide/),
      ]);
      expect(await page.warnings()).toEqual([]);
    },
  },
};

export const twice: Promised = {
  promise: 'The SDK twice on a page: one report an error, and one line that says so',
  cases: {
    'the script twice': async ({ open, sink }) => {
      const page = await open({
        html: '<script src="/sdk/index.iife.js"></script>',
        script: ({ options }) => {
          ServiceSDK.init(options);
          throw new Error('once');
        },
      });
      await sink.reports(1);
      await page.flush();
      expect(sink.posts()).toHaveLength(1);
      expect(await page.warnings()).toHaveLength(1);
    },
    'the script, and the modules under two addresses': async ({ open, sink }) => {
      const page = await open({
        html: '<script type="module" src="again.js"></script>',
        files: {
          'again.js': `import * as one from '/sdk/index.js';
            import * as two from '/sdk/index.js?again';
            const options = { apiKey: 'pk_browsers', endpoint: ${JSON.stringify(sink.endpoint)} };
            one.init(options);
            two.init(options);
            console.log('a line');
            throw new Error('once');`,
        },
      });
      const [report] = await sink.reports(1);
      await page.flush();
      expect(sink.posts()).toHaveLength(1);
      expect(report?.breadcrumbs).toHaveLength(1);
      expect((await page.warnings()).length).toBeGreaterThan(0);
    },
  },
};

declare global {
  var violations: string[];
  var whatIsRefused: () => Promise<unknown[]>;
  var framesSaid: Promise<unknown>;
}
