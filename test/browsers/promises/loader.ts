import { expect } from 'vitest';
import type { Promised } from './promised.ts';

export const loader: Promised = {
  promise: "With the loader's snippet in the head, what fails before init() is reported too, in order",
  cases: {
    'an error and a rejection, once each': async ({ add, sink, tab, page }) => {
      await tab.goto(
        add({
          html: '<script src="/sdk/snippet.js"></script><script src="early.js"></script>',
          files: {
            'early.js': `self.failed = new Promise((resolve) => addEventListener('error', resolve));
              function checkout() { throw new TypeError('thrown early'); }
              addEventListener('unhandledrejection', () => setTimeout(checkout), { once: true });
              Promise.reject(new RangeError('rejected early'));`,
          },
          options: null,
          // The SDK comes late.
          script: ({ options }) => self.failed.then(() => ServiceSDK.init(options)),
        }),
      );
      await sink.reports(2);
      await page.flush();
      const reports = await sink.reports(2);
      expect(reports.map(({ type, message }) => [type, message])).toEqual([
        ['RangeError', 'rejected early'],
        ['TypeError', 'thrown early'],
      ]);
      expect(reports[1]?.stacktrace).toMatch(/checkout.*early\.js:2:\d+/);
      const [rejected = '', thrown = ''] = reports.map(({ timestamp }) => timestamp);
      expect(rejected <= thrown).toBe(true);
    },

    'inline, under a policy of nonces with Trusted Types, where it loads the SDK itself': async (scene) => {
      const { add, elsewhere, sink, tab, page } = scene;
      const { origin } = new URL(sink.endpoint);
      const policy = `default-src 'none'; script-src 'nonce-n0'; connect-src ${origin}; require-trusted-types-for 'script'`;
      const snippet = await (await fetch(`${elsewhere.origin}/sdk/snippet.js`)).text();
      await tab.goto(
        add({
          headers: { 'content-security-policy': policy },
          files: {
            'index.html': `<!doctype html><title>A page</title>
              <script nonce="n0" data-src="/sdk/index.js" data-api-key="pk_browsers" data-endpoint="${sink.endpoint}" data-release="7">${snippet}</script>
              <script nonce="n0">throw new TypeError('thrown early')</script>`,
          },
        }),
      );
      const reports = await sink.reports(1);
      expect(reports).toMatchObject([{ type: 'TypeError', message: 'thrown early', release: '7' }]);
      await page.run(() => void setTimeout(() => Promise.reject(new RangeError('rejected later'))));
      expect((await sink.reports(2)).map(({ message }) => message)).toEqual(['thrown early', 'rejected later']);
    },
  },
};

declare global {
  var failed: Promise<unknown>;
}
