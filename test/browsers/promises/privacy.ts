import { expect } from 'vitest';
import type { SdkPromise } from '../sdk-promise.ts';

const form = `<form onsubmit="return false">
  <input id="card" value="hush-value" placeholder="hush-placeholder">
  <input id="pin" type="password" value="hush-pin">
  <textarea id="note">hush-textarea</textarea>
  <button id="pay" value="hush-button" title="hush-title" aria-label="hush-label" data-user="hush-data">hush-text</button>
</form>`;

export const privacy: SdkPromise = {
  promise: 'Secrets in URLs, requests, the console, errors and inputs never leave the page',
  cases: {
    // All secrets have the same prefix, so that the test finds each of them.
    'no request contains a secret': async ({ add, tab, page, sink }) => {
      const url = add({ html: form, script: handleSecrets });
      await tab.goto(`${url}?token=hush-query&page=2#access_token=hush-fragment`);
      for (const id of ['#card', '#pin', '#note', '#pay']) await tab.click(id);
      await page
        .run(async () => {
          await self.requestsDone;
          const error = new Error(`https://shop.test/?api_key=hush-message was refused to hush-owner@shop.example`);
          ServiceSDK.setUser({ id: 'hush-user@shop.example' });
          ServiceSDK.setMetadata({ cart: { figs: 2 }, password: 'hush-metadata', nested: { session: 'hush-session' } });
          ServiceSDK.captureException(error, { metadata: { headers: { authorization: 'hush-context' } } });
          throw new Error('Bearer hush-bearer-message');
        })
        .catch(() => {});
      await page.run(() => void setTimeout(() => Promise.reject({ client_secret: 'hush-rejected', code: 7 })));
      await sink.reports(2);
      await page.flush();

      const wire = sink.requests
        .map(({ url: path, headers, body }) => JSON.stringify([path, headers, body]))
        .join('\n');
      expect(wire.match(/hush-[\w-]*/g) ?? []).toEqual([]);
      // Values that are not secrets are still sent.
      for (const kept of ['page=2', 'figs', 'An order of 7', '/orders', 'button#pay']) expect(wire).toContain(kept);
      for (const { headers } of sink.requests) {
        expect(headers).not.toHaveProperty('cookie');
        expect(headers).not.toHaveProperty('referer');
        expect(headers).not.toHaveProperty('authorization');
      }
    },
  },
};

/** Uses secrets in the ways in which pages use them. */
function handleSecrets(): void {
  document.cookie = 'session=hush-cookie';
  console.log('An order of 7', {
    password: 'hush-console',
    user: { token: 'hush-nested', email: 'hush-a@shop.example' },
  });
  console.warn('Authorization: Bearer hush-bearer', 'hush-b@shop.example', new Error('?secret=hush-console-error'));
  console.info(['https://hush-user:hush-password@shop.test/?signature=hush-signature']);
  console.error('eyJhbGciOiJIUzI1NiJ9.hush-claims.hush-jws', document.querySelector('input'));
  history.pushState({ token: 'hush-state' }, '', `?code=hush-code&page=2#id_token=hush-id-token`);
  ServiceSDK.addBreadcrumb({
    category: 'login',
    message: 'password=hush-breadcrumb',
    data: { refresh_token: 'hush-data' },
  });
  const body = JSON.stringify({ password: 'hush-body' });
  const headers = { authorization: 'Bearer hush-header', 'x-api-key': 'hush-api-key' };
  const fetched = fetch('/orders?access_token=hush-fetch', { method: 'POST', body, headers });
  const request = new XMLHttpRequest();
  request.open('POST', '/orders?jwt=hush-xhr', true, 'hush-name', 'hush-word');
  request.setRequestHeader('authorization', 'hush-xhr-header');
  const loaded = new Promise((resolve) => request.addEventListener('loadend', resolve));
  request.send(body);
  self.requestsDone = Promise.all([fetched, loaded]);
}

declare global {
  var requestsDone: Promise<unknown>;
}
