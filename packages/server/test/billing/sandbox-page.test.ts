import type { Checkout } from '@service/protocol';
import { expect, test } from 'vitest';
import { hosted, payment, planOf } from './sandbox-payments.ts';
import { describeService, type TestResponse, type TestService } from '../test-utils/describe-service.ts';

/** The request of a browser that has only the link. */
const anonymous = { token: null, headers: { 'content-type': 'application/x-www-form-urlencoded' } };

async function openCheckout({ call }: TestService, plan = 'pro'): Promise<{ id: number; path: string }> {
  const { body } = await call<Checkout>('POST', 'billing/checkout', { body: { plan } });
  return { id: body.payment_id, path: new URL(body.checkout_url).pathname };
}

function formActions({ text }: TestResponse): string[] {
  return Array.from(text.matchAll(/<form method="post" action="([^"]+)">/g), ([, action]) => action ?? '');
}

describeService('the checkout page of the sandbox', (start, driver) => {
  const submit = ({ call, service }: TestService, path: string): Promise<unknown> =>
    // The redirect is checked here, so it must not be followed.
    driver === 'memory:'
      ? service.fetch(new Request(`http://127.0.0.1:4400${path}`, { method: 'POST' }))
      : call('POST', path, anonymous);

  test('the sandbox checkout shows the plan, runs no script and pays by form', async () => {
    const service = await start(hosted);
    const { call } = service;
    const { id, path } = await openCheckout(service);
    const page = await call('GET', path, { token: null });
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    );
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(page.text).not.toMatch(/<script|style=|\son\w+=/);
    expect(page.text).toContain('<h1>Pro</h1>');
    expect(page.text).toMatch(/EUR\s19\.00/);
    expect(page.text).toContain('Payment 1 is pending.');
    for (const file of ['/tokens.css', '/checkout.css', '/icon.svg']) {
      expect(page.text).toContain(`href="${file}"`);
      expect((await call('GET', file, { token: null })).status).toBe(200);
    }
    const [pay = '', fail = ''] = formActions(page);
    expect([pay, fail]).toEqual([`${path}/pay`, `${path}/fail`]);

    await submit(service, fail);
    expect((await payment(call, id)).status).toBe('failed');
    const failed = await call('GET', path, { token: null });
    expect(failed.text).toContain('Payment 1 has failed.');
    expect(formActions(failed)).toEqual([pay]);
    await submit(service, pay);
    expect((await payment(call, id)).status).toBe('paid');
    expect(await planOf(call)).toBe('pro');
    const paid = await call('GET', path, { token: null });
    expect(paid.text).toContain('Payment 1 is paid.');
    expect(formActions(paid)).toEqual([]);
    // A second submit, from another tab, changes nothing.
    await submit(service, fail);
    expect((await payment(call, id)).status).toBe('paid');
  });

  test('the sandbox checkout redirects after a submit, so that a reload does not submit again', async () => {
    const service = await start(hosted);
    const { path } = await openCheckout(service);
    const request = new Request(`http://127.0.0.1:4400${path}/pay`, { method: 'POST' });
    const { status, headers } = await service.service.fetch(request);
    expect([status, headers.get('location')]).toEqual([303, path]);
  });

  test('the sandbox checkout is reachable only by its unguessable link', async () => {
    const service = await start(hosted);
    const { call } = service;
    const [first, second] = [await openCheckout(service), await openCheckout(service)];
    expect(first.path).toMatch(/^\/billing\/sandbox\/1\/[\w-]{43}$/);
    const code = first.path.split('/').at(-1) ?? '';
    const wrong = [
      `/billing/sandbox/1/`,
      `/billing/sandbox/1/x`,
      `/billing/sandbox/2/${code}`,
      `/billing/sandbox/9/${code}`,
      `/billing/sandbox/01/${code}`,
      `/billing/sandbox/1/${code.toUpperCase()}`,
      `/billing/sandbox/1/${code.slice(1)}`,
      `/billing/sandbox/1/${'x'.repeat(4_000)}`,
      `/billing/sandbox/null/null`,
      `/billing/sandbox/__proto__/x`,
    ];
    for (const path of wrong) {
      expect((await call('GET', path, { token: null })).status, path).toBe(404);
      expect((await call('POST', `${path}/pay`, anonymous)).status, path).toBe(404);
    }
    expect((await call('GET', `${first.path}/pay`, { token: null })).status).toBe(405);
    expect((await payment(call, first.id)).status).toBe('pending');
    expect((await payment(call, second.id)).status).toBe('pending');
  });

  test('the sandbox checkout escapes the name of the plan, and shows the id of a removed plan', async () => {
    const name = '<img src=x onerror=alert(1)>"&\'';
    const plans = [...hosted.plans, { ...hosted.plans[1], id: 'odd', name, currency: 'JPY', price: 500 }] as never;
    const service = await start({ ...hosted, plans });
    const { call, restart } = service;
    const { path } = await openCheckout(service, 'odd');
    const { text } = await call('GET', path, { token: null });
    expect(text).toContain('<h1>&lt;img src=x onerror=alert(1)&gt;&quot;&amp;&#39;</h1>');
    expect(text).toMatch(/JPY\s500</);
    if (driver === 'memory:') return;
    await restart({ plans: hosted.plans });
    expect((await call('GET', path, { token: null })).text).toContain('<h1>odd</h1>');
  });
});
