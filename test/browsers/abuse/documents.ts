import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';
import { abuse } from './abuse-case.ts';

export const documents: SdkPromise = {
  promise: 'Documents and frames of every kind: the SDK reports what it can see, and breaks nothing',
  cases: {
    'a document that loses its root element': abuse({
      script: () => {
        document.documentElement.remove();
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
    }),
    'an error before the body is parsed': abuse({
      files: {},
      script: () => {
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
    }),
    'document.write while the page loads': abuse({
      script: () => {
        document.write('<p>written</p><script>throw new Error("in a written script")</script>');
      },
      reports: ['in a written script'],
      uncaught: ['in a written script'],
    }),
    'document.write after the page has loaded': abuse({
      before: ({ options }) => Reflect.set(self, 'pageOptions', options),
      act: async ({ page }) => {
        await page.run(() => {
          document.open();
          document.write('<title>A new document</title><p>written</p>');
          document.close();
          // The browser has removed all listeners of the window, those of the page too.
          self.listen();
          void ServiceSDK.close();
          ServiceSDK.init(Reflect.get(self, 'pageOptions'));
          ServiceSDK.captureMessage('captured');
        });
      },
      reports: ['captured'],
    }),
    'an XHTML document': abuse({
      isXhtml: true,
      html: '<p><button id="buy" xmlns="http://www.w3.org/1999/xhtml">x</button></p>',
      script: () => {
        document.querySelector('button')?.click();
        throw new Error('fails');
      },
      reports: ['fails'],
      uncaught: ['fails'],
      check: ([report]) => expect(report?.breadcrumbs?.[0]?.data.selector).toMatch(/button#buy/),
    }),
    'the SDK in a frame that is removed': abuse({
      html: '<iframe src="frame.html"></iframe>',
      files: {
        'frame.html': `<script src="/sdk/index.iife.js"></script><script>
          ServiceSDK.init({ ...parent.frameOptions, apiKey: 'pk_frame' });
          ServiceSDK.captureMessage('in the frame');
          self.isCaptured = true;
        </script>`,
      },
      before: (input) => Reflect.set(self, 'frameOptions', input.options),
      script: async () => {
        const frame = document.querySelector('iframe') as HTMLIFrameElement;
        while (!Reflect.has(frame.contentWindow as object, 'isCaptured'))
          await new Promise((resolve) => setTimeout(resolve, 10));
        const sdk = Reflect.get(frame.contentWindow as object, 'ServiceSDK') as typeof ServiceSDK;
        await sdk.flush(60_000);
        const console = Reflect.get(frame.contentWindow as object, 'console') as Console;
        frame.remove();
        console.log('after the end');
        self.results = [typeof sdk.captureMessage('after the end')];
        void sdk.flush(10);
        void sdk.close(10);
      },
      reports: ['in the frame'],
    }),
    'the SDK in a frame without storage, with every integration': abuse({
      html: '<iframe sandbox="allow-scripts" src="frame.html"></iframe>',
      files: {
        'frame.html': `<script src="/sdk/index.iife.js"></script><script>
          addEventListener('message', ({ data }) => {
            ServiceSDK.init({ ...data, integrations: [ServiceSDK.offlineStorage(), ServiceSDK.captureConsole(), ServiceSDK.captureFailedRequests()] });
            ServiceSDK.captureMessage('in the sandbox');
            ServiceSDK.flush().then((done) => parent.postMessage(done, '*'));
          }, { once: true });
        </script>`,
      },
      script: ({ options }) =>
        new Promise((resolve) => {
          addEventListener('message', resolve);
          const frame = document.querySelector('iframe') as HTMLIFrameElement;
          const post = (): void => frame.contentWindow?.postMessage(options, '*');
          // The frame may have loaded before this script, or load after it.
          frame.addEventListener('load', post);
          post();
        }),
      reports: ['in the sandbox'],
    }),
    'a worker and its page, both with the SDK: one report, if the page prevents the default': abuse({
      files: {
        'worker.js': `importScripts('/sdk/index.iife.js');
          addEventListener('message', ({ data }) => {
            ServiceSDK.init(data);
            throw new TypeError('no work');
          });`,
      },
      script: ({ options }) =>
        new Promise((resolve) => {
          const worker = new Worker('worker.js');
          worker.addEventListener('error', (event) => {
            event.preventDefault();
            resolve(event);
          });
          // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker takes none
          worker.postMessage(options);
        }),
      act: ({ sink }) => sink.reports(1),
      reports: ['no work'],
      check: ([report]) =>
        expect(report).toMatchObject({ type: 'TypeError', url: expect.stringMatching(/worker\.js$/) }),
    }),
    'a worker without the SDK: its page reports the message': abuse({
      files: { 'worker.js': `setTimeout(() => { throw new TypeError('no work'); });` },
      script: () =>
        new Promise((resolve) => {
          addEventListener('error', resolve);
          void new Worker('worker.js');
        }),
      reports: [/^(TypeError: )?no work$/],
      uncaught: [/no work/],
    }),
    'the SDK in a document of srcdoc': abuse({
      before: (input) => Reflect.set(self, 'frameOptions', input.options),
      html: `<iframe></iframe>`,
      script: async () => {
        const frame = document.querySelector('iframe') as HTMLIFrameElement;
        frame.srcdoc = `<script src="/sdk/index.iife.js"></${'script'}><script>
          ServiceSDK.init({ ...parent.frameOptions, apiKey: 'pk_frame' });
          history.replaceState(null, '', '');
          ServiceSDK.captureException(new Error('in srcdoc'));
          parent.postMessage('ready', '*');
        </${'script'}>`;
        await new Promise((resolve) => addEventListener('message', resolve));
        const sdk = Reflect.get(frame.contentWindow as object, 'ServiceSDK') as typeof ServiceSDK;
        await sdk.flush(60_000);
      },
      reports: ['in srcdoc'],
    }),
  },
};
