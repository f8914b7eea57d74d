import type { Checkout } from '@service/protocol';
import { expect, test } from 'vitest';
import { hosted, payment, planOf } from './payments.ts';
import { describeService, type Answer, type TestService } from '../test-utils/service.ts';

/** As a browser that has nothing but the link. */
const anybody = { token: null, headers: { 'content-type': 'application/x-www-form-urlencoded' } };

async function open({ call }: TestService, plan = 'pro'): Promise<{ id: number; path: string }> {
  const { body } = await call<Checkout>('POST', 'billing/checkout', { body: { plan } });
  return { id: body.payment_id, path: new URL(body.checkout_url).pathname };
}

function formsOf({ text }: Answer): string[] {
  return Array.from(text.matchAll(/<form method="post" action="([^"]+)">/g), ([, action]) => action ?? '');
}

describeService('the checkout of the sandbox', (start, driver) => {
  const press = ({ call, service }: TestService, path: string): Promise<unknown> =>
    // A redirect is to be seen here, not followed.
    driver === 'memory:'
      ? service.fetch(new Request(`http://127.0.0.1:4400${path}`, { method: 'POST' }))
      : call('POST', path, anybody);

  test('shows what is to be paid, runs no script, and pays by a button', async () => {
    const service = await start(hosted);
    const { call } = service;
    const { id, path } = await open(service);
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
    const [pay = '', fail = ''] = formsOf(page);
    expect([pay, fail]).toEqual([`${path}/pay`, `${path}/fail`]);

    await press(service, fail);
    expect((await payment(call, id)).status).toBe('failed');
    const failed = await call('GET', path, { token: null });
    expect(failed.text).toContain('Payment 1 has failed.');
    expect(formsOf(failed)).toEqual([pay]);
    await press(service, pay);
    expect((await payment(call, id)).status).toBe('paid');
    expect(await planOf(call)).toBe('pro');
    const paid = await call('GET', path, { token: null });
    expect(paid.text).toContain('Payment 1 is paid.');
    expect(formsOf(paid)).toEqual([]);
    // Pressed once more, in another tab, it changes nothing.
    await press(service, fail);
    expect((await payment(call, id)).status).toBe('paid');
  });

  test('sends the browser back to itself, so that a reload presses nothing', async () => {
    const service = await start(hosted);
    const { path } = await open(service);
    const request = new Request(`http://127.0.0.1:4400${path}/pay`, { method: 'POST' });
    const { status, headers } = await service.service.fetch(request);
    expect([status, headers.get('location')]).toEqual([303, path]);
  });

  test('is found by its link alone, which nobody guesses', async () => {
    const service = await start(hosted);
    const { call } = service;
    const [first, second] = [await open(service), await open(service)];
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
      expect((await call('POST', `${path}/pay`, anybody)).status, path).toBe(404);
    }
    expect((await call('GET', `${first.path}/pay`, { token: null })).status).toBe(405);
    expect((await payment(call, first.id)).status).toBe('pending');
    expect((await payment(call, second.id)).status).toBe('pending');
  });

  test('shows the name of a plan as text, and of one that is gone its id', async () => {
    const name = '<img src=x onerror=alert(1)>"&\'';
    const plans = [...hosted.plans, { ...hosted.plans[1], id: 'odd', name, currency: 'JPY', price: 500 }] as never;
    const service = await start({ ...hosted, plans });
    const { call, restart } = service;
    const { path } = await open(service, 'odd');
    const { text } = await call('GET', path, { token: null });
    expect(text).toContain('<h1>&lt;img src=x onerror=alert(1)&gt;&quot;&amp;&#39;</h1>');
    expect(text).toMatch(/JPY\s500</);
    if (driver === 'memory:') return;
    await restart({ plans: hosted.plans });
    expect((await call('GET', path, { token: null })).text).toContain('<h1>odd</h1>');
  });
});
