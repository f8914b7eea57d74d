import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import type { TestContext } from '../test-context.ts';

export const strictCsp: SdkPromise = {
  promise: 'Under a strict Content-Security-Policy with Trusted Types, errors are reported without a violation',
  cases: {
    'as a script': (context) => underCsp(context, 'script'),
    'as modules': (context) => underCsp(context, 'module'),
  },
};

async function underCsp({ open, sink, tab }: TestContext, sdk: 'script' | 'module'): Promise<void> {
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
      // In a task of the page, because the engine may exempt code that a test evaluates.
      self.tryForbidden = () =>
        new Promise((resolve) => {
          setTimeout(() => {
            const attempts = [() => new Function('return 1')(), () => (document.body.innerHTML = '<p>')];
            resolve(
              attempts.map((attempt) => {
                try {
                  return attempt();
                } catch {
                  return 'blocked';
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
  // The policy and Trusted Types are active.
  expect(await page.run(() => self.tryForbidden())).toEqual(['blocked', 'blocked']);
}

export const workers: SdkPromise = {
  promise: 'In a worker, errors and rejections are reported with the URL of the worker',
  cases: {
    'a classic worker': (context) => inWorker(context, {}, `importScripts('/sdk/index.iife.js');`),
    'a module worker': (context) =>
      inWorker(context, { type: 'module' }, `import * as ServiceSDK from '/sdk/index.js';`),
  },
};

async function inWorker({ add, tab, sink }: TestContext, options: WorkerOptions, load: string): Promise<void> {
  const worker = `${load}
    ServiceSDK.init({ apiKey: 'pk_browsers', endpoint: ${JSON.stringify(sink.endpoint)} });
    console.log('begun');
    setTimeout(function compute() { throw new TypeError('no work'); });
    Promise.reject(new RangeError('too much work'));
    addEventListener('message', () => {
      ServiceSDK.close();
      ServiceSDK.init({ apiKey: 'pk_browsers', endpoint: ${JSON.stringify(sink.endpoint)} });
      throw new Error('started again, in a task');
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
  expect((await sink.reports(3)).map(({ message }) => message)).toContain('started again, in a task');
}

export const sandboxed: SdkPromise = {
  promise: 'In a sandboxed frame, reports are rejected with one warning; the page keeps working',
  cases: {
    'a frame whose origin is null': async ({ open, add, sink, page }) => {
      sink.allows = (origin) => origin !== 'null';
      const url = add({
        script: () => {
          // Captured, not thrown: to this frame every file is cross-origin, so the error would be `Script error.`.
          ServiceSDK.captureException(new Error('in the sandbox'));
          const postLines = (): void => {
            if (sdkLines.length > 0) parent.postMessage(sdkLines, '*');
            else setTimeout(postLines, 10);
          };
          postLines();
        },
      });
      await open({
        html: `<iframe sandbox="allow-scripts" src="${url}"></iframe>`,
        options: null,
        before: () => {
          self.linesOfFrame = new Promise((resolve) => addEventListener('message', ({ data }) => resolve(data)));
        },
      });
      expect(await page.run(() => self.linesOfFrame)).toEqual([expect.stringMatching(/allow-list/)]);
      expect(sink.requests.length).toBeGreaterThan(0);
      expect(new Set(sink.requests.map(({ headers }) => headers.origin))).toEqual(new Set(['null']));
      expect(sink.posts()).toEqual([]);
    },
  },
};

export const clobbered: SdkPromise = {
  promise: 'Elements named like DOM properties cause no error',
  cases: {
    'a form whose fields shadow its properties': async ({ open, tab, sink, page }) => {
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

export const twice: SdkPromise = {
  promise: 'With two copies of the SDK on a page, each error is reported once, with one warning',
  cases: {
    'two copies of the script': async ({ open, sink }) => {
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
    'the script, and the modules under two URLs': async ({ open, sink }) => {
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
  var tryForbidden: () => Promise<unknown[]>;
  var linesOfFrame: Promise<unknown>;
}
