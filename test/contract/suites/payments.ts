import { expect } from 'vitest';
import { buildRequest } from '../api-call.ts';
import { sandboxSecret } from '../credentials.ts';
import {
  startCheckout,
  planSettings,
  deliverEvent,
  payForPlan,
  paymentEvent,
  sandboxRequest,
  signSandboxBody,
  paymentAndPlan,
} from '../payment-events.ts';
import type { Suite } from '../suite.ts';

/** Checkouts, payments and the plans that they activate. */
export const payments: Suite = {
  name: 'payments',
  tests: [
    {
      title: 'a checkout creates a pending payment and keeps the plan',
      covers: ['billing.checkout', 'billing.checkout.nothing_yet', 'billing.payment', 'billing.payment.status'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const checkout = await context.send(201, 'POST', 'billing/checkout', { body: { plan: 'pro' } });
        expect(checkout).toEqual({ payment_id: expect.any(Number), checkout_url: expect.stringMatching(/^https?:/) });
        expect(await context.send(200, 'GET', `billing/payments/${checkout.payment_id}`)).toEqual({
          payment_id: checkout.payment_id,
          plan: 'pro',
          status: 'pending',
          created_at: expect.stringMatching(/\.\d{3}Z$/),
          paid_at: null,
        });
        expect(await paymentAndPlan(context, checkout.payment_id)).toEqual(['pending', 'free']);
      },
    },
    {
      title: 'only owners can check out; all roles can read the payment',
      covers: ['billing.checkout.owners', 'auth.roles.member', 'auth.roles.viewer', 'problem.forbidden'],
      async run(context) {
        const id = await startCheckout(context, 'self_hosted');
        for (const role of ['member', 'viewer']) {
          const token = await context.fixture(role);
          const body = { plan: 'self_hosted' };
          expect(await context.outcome('POST', 'billing/checkout', { token, body })).toBe('forbidden');
          expect(await context.outcome('POST', 'billing/checkout', { token, body: { plan: 5 } })).toBe('forbidden');
          await context.send(200, 'GET', `billing/payments/${id}`, { token });
        }
        expect(await context.outcome('POST', 'billing/checkout', { token: null })).toBe('missing_token');
      },
    },
    {
      title: 'a checkout with an unknown plan or an unconfigured provider is rejected',
      covers: ['billing.checkout.plan', 'billing.checkout.provider', 'problem.provider_not_found'],
      settings: planSettings,
      async run(context) {
        const outcome = (body: object): Promise<unknown> => context.outcome('POST', 'billing/checkout', { body });
        for (const plan of ['gold', 'PRO', '', ' pro', 'x'.repeat(300), 5, null, ['pro'], {}])
          expect([plan, await outcome({ plan })]).toEqual([plan, 'validation_failed']);
        expect(await outcome({})).toBe('validation_failed');
        expect(await outcome({ plan: 'pro', provider: 5 })).toBe('validation_failed');
        for (const provider of ['stripe', 'paypal', 'SANDBOX', '', '__proto__'])
          expect([provider, await outcome({ plan: 'pro', provider })]).toEqual([provider, 'provider_not_found']);
      },
    },
    {
      title: 'without its secret the sandbox does not exist',
      covers: [
        'billing.sandbox.secret',
        'billing.checkout.none',
        'billing.webhook.provider',
        'problem.provider_not_found',
      ],
      settings: { sandboxSecret: null },
      async run(context) {
        const body = { plan: 'self_hosted' };
        expect(await context.outcome('POST', 'billing/checkout', { body })).toBe('provider_not_found');
        const named = { body: { ...body, provider: 'sandbox' } };
        expect(await context.outcome('POST', 'billing/checkout', named)).toBe('provider_not_found');
        for (const secret of [sandboxSecret, ''])
          for (const provider of ['sandbox', 'stripe', 'paypal']) {
            const options = sandboxRequest(paymentEvent('succeeded', 1), (text) => signSandboxBody(text, 0, secret));
            expect(await context.outcome('POST', `billing/webhook/${provider}`, options)).toBe('provider_not_found');
          }
        expect((await context.call('GET', '/billing/sandbox/1/x', { token: null })).status).toBe(404);
      },
    },
    {
      title: 'a payment is visible only to its team',
      covers: ['billing.payment.own', 'problem.payment_not_found', 'auth.teams.apart'],
      async run(context) {
        const stranger = { token: await context.fixture('stranger') };
        const ours = await startCheckout(context, 'self_hosted');
        const theirs = await startCheckout(context, 'self_hosted', stranger);
        await context.send(200, 'GET', `billing/payments/${theirs}`, stranger);
        for (const [id, options] of [
          [theirs, {}],
          [ours, stranger],
        ] as const)
          expect(await context.outcome('GET', `billing/payments/${id}`, options)).toBe('payment_not_found');
      },
    },
    {
      title: 'a paid plan takes effect immediately and keeps the usage',
      covers: [
        'billing.webhook',
        'billing.sandbox.signature',
        'billing.paid.at_once',
        'billing.paid.usage',
        'billing.payment.status',
        'auth.open',
      ],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const post = async (): Promise<number> => (await context.report()).status;
        expect([await post(), await post(), await post()]).toEqual([200, 200, 429]);
        const id = await startCheckout(context, 'pro');
        const before = Date.now();
        expect((await deliverEvent(context, paymentEvent('succeeded', id))).status).toBe(200);
        const { status, paid_at } = await context.send(200, 'GET', `billing/payments/${id}`);
        expect(status).toBe('paid');
        expect(Date.parse(paid_at)).toBeGreaterThanOrEqual(before - 1_000);
        const usage = await context.send(200, 'GET', 'billing/usage');
        expect(usage).toMatchObject({ plan: 'pro', errors: { used: 2, quota: 4, refused: 1 } });
        expect((await context.send(200, 'GET', 'auth/me')).team.plan).toBe('pro');
        expect([await post(), await post(), await post()]).toEqual([200, 200, 429]);
        const failed = await startCheckout(context, 'large');
        await deliverEvent(context, paymentEvent('failed', failed));
        expect(await paymentAndPlan(context, failed)).toEqual(['failed', 'pro']);
      },
    },
    {
      title: 'twenty concurrent replays of an event pay once, and later replays change nothing',
      covers: ['billing.webhook.parallel', 'billing.webhook.replay', 'billing.paid.holds'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const id = await startCheckout(context, 'pro');
        const event = paymentEvent('succeeded', id);
        const responses = await Promise.all(Array.from({ length: 20 }, () => deliverEvent(context, event)));
        expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
        const paid = await context.send(200, 'GET', `billing/payments/${id}`);
        // After another plan is paid, no event of the first payment may change the plan.
        const next = await payForPlan(context, 'large');
        const replays = [
          event,
          event,
          paymentEvent('succeeded', id),
          { ...event, extra: 1 },
          paymentEvent('failed', next),
        ];
        for (const replay of [...replays, ...replays]) expect((await deliverEvent(context, replay)).status).toBe(200);
        expect(await paymentAndPlan(context, next)).toEqual(['paid', 'large']);
        expect(await context.send(200, 'GET', `billing/payments/${id}`)).toEqual(paid);
        // A processed event id must not pay for another payment.
        const third = await startCheckout(context, 'pro');
        expect((await deliverEvent(context, { ...event, payment_id: third })).status).toBe(200);
        expect(await paymentAndPlan(context, third)).toEqual(['pending', 'large']);
      },
    },
    {
      title: 'paid wins over failed in any order of events',
      covers: ['billing.paid.wins'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        for (const order of [
          ['failed', 'succeeded'],
          ['succeeded', 'failed'],
          ['failed', 'succeeded', 'failed', 'failed'],
        ] as const) {
          const plan = order.length === 2 && order[0] === 'failed' ? 'pro' : 'large';
          const id = await startCheckout(context, plan);
          for (const type of order) await deliverEvent(context, paymentEvent(type, id));
          expect([order, await paymentAndPlan(context, id)]).toEqual([order, ['paid', plan]]);
        }
        const id = await startCheckout(context, 'pro');
        await Promise.all(
          (['failed', 'succeeded', 'failed', 'succeeded'] as const).map((type) =>
            deliverEvent(context, paymentEvent(type, id)),
          ),
        );
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
      },
    },
    {
      title: 'the sandbox page pays and fails with its buttons and needs no script',
      covers: ['billing.sandbox.page'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const { payment_id: id, checkout_url } = await context.send(201, 'POST', 'billing/checkout', {
          body: { plan: 'pro' },
        });
        const { pathname } = new URL(checkout_url);
        const readPage = async (): Promise<string> => (await context.call('GET', pathname, { token: null })).text;
        const press = async (index: number): Promise<void> => {
          const actions = Array.from(
            (await readPage()).matchAll(/<form[^>]* action="([^"]+)"/g),
            ([, action]) => action,
          );
          const request = buildRequest(context.server.url, 'POST', actions[index] ?? 'none', { token: null });
          expect((await context.server.fetch(request)).status).toBe(303);
        };
        const { headers, text } = await context.call('GET', pathname, { token: null });
        expect(headers.get('content-type')).toMatch(/^text\/html/);
        expect(headers.get('content-security-policy')).toMatch(/default-src 'none'/);
        expect(headers.get('content-security-policy')).not.toMatch(/unsafe|script-src/);
        expect(text).not.toMatch(/<script/);
        await press(1);
        expect(await paymentAndPlan(context, id)).toEqual(['failed', 'free']);
        await press(0);
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
        const guessed = pathname.replace(/[^/]+$/, 'x'.repeat(43));
        expect(await context.outcome('GET', guessed, { token: null })).toBe('payment_not_found');
        expect(await context.outcome('POST', `${guessed}/pay`, { token: null })).toBe('payment_not_found');
      },
    },
    {
      title: 'processed events survive a restart, and payment ids are not reused',
      covers: ['billing.webhook.durable', 'billing.paid.holds', 'conv.ids.restart'],
      settings: planSettings,
      needsOwnServer: true,
      targets: ['file', 'sqlite', 'program'],
      async run(context) {
        const id = await startCheckout(context, 'pro');
        const event = paymentEvent('succeeded', id);
        await deliverEvent(context, event);
        await context.restart();
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
        const next = await payForPlan(context, 'large');
        expect(next).toBeGreaterThan(id);
        await deliverEvent(context, event);
        await context.restart();
        await deliverEvent(context, event);
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'large']);
      },
    },
  ],
};
