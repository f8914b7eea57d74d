import { expect } from 'vitest';
import { createApp } from '../../../packages/server/src/app.ts';
import { parseConfig, type ConfigInput } from '../../../packages/server/src/config.ts';
import { openServices } from '../../../packages/server/src/services.ts';
import {
  sessionEvent,
  signedByStripe,
  startFakeStripe,
  stripeKey,
  stripeSettings,
  stripeWebhookSecret,
  type FakeStripe,
} from '../../../packages/server/test/payment-providers/fake-stripe.ts';
import type { ApiResponse, Json, RequestOptions } from '../api-call.ts';
import { TestContext } from '../context.ts';
import { planSettings, paymentEvent, deliverEvent, paymentAndPlan } from '../payment-events.ts';
import { runCommand } from '../run-program.ts';
import { withServer } from '../server-program.ts';
import { withFolder } from '../with-folder.ts';
import type { Suite } from '../suite.ts';
import { targets, type ServerConnection, type Target } from '../targets.ts';
import { TestServer } from '../test-server.ts';

/** Runs `use` with a server on the target and a fake Stripe API. */
async function withStripe(
  target: Target,
  use: (context: TestContext, stripe: FakeStripe) => Promise<void>,
  settings: ConfigInput = {},
): Promise<void> {
  const stripe = await startFakeStripe();
  const startServer = (storage: string, given: ConfigInput): Promise<ServerConnection> =>
    startWithStripe(stripe, storage, given);
  const server = await TestServer.start(
    { ...target, startServer },
    { ...planSettings, ...stripeSettings, ...settings },
  );
  try {
    await use(new TestContext(server), stripe);
  } finally {
    await server.stop();
    await stripe.close();
  }
}

async function startWithStripe(stripe: FakeStripe, storage: string, settings: ConfigInput): Promise<ServerConnection> {
  const services = await openServices(parseConfig({ ...settings, storage }), { stripeApi: stripe.api });
  const app = createApp(services);
  return {
    url: 'http://127.0.0.1:4400',
    fetch: async (request) => app.fetch(request),
    output: () => '',
    close: () => services.close(),
  };
}

/** Starts a checkout, and returns the payment id and the session as Stripe sends it in events. */
async function startCheckout(context: TestContext, plan: string): Promise<{ id: number; session: Json }> {
  const { payment_id: id, checkout_url } = await context.send(201, 'POST', 'billing/checkout', { body: { plan } });
  const session = { id: checkout_url.split('/').at(-1), client_reference_id: String(id), payment_status: 'paid' };
  return { id, session };
}

const sendEvent = (context: TestContext, options: RequestOptions): Promise<ApiResponse> =>
  context.call('POST', 'billing/webhook/stripe', options);

/** Payments with Stripe, whose own library creates the checkouts and verifies the events. */
export const stripe: Suite = {
  name: 'stripe',
  targets: ['memory', 'file', 'sqlite'],
  tests: [
    {
      title: 'a checkout creates a Stripe session for the price of the plan, and Stripe is the default',
      covers: ['billing.stripe.session', 'billing.checkout.default', 'billing.checkout'],
      run: ({ target }) =>
        withStripe(target, async (context, { requests }) => {
          const { id } = await startCheckout(context, 'pro');
          expect(requests).toMatchObject([
            {
              path: '/v1/checkout/sessions',
              authorization: `Bearer ${stripeKey}`,
              fields: {
                mode: 'payment',
                client_reference_id: String(id),
                'line_items[0][price_data][currency]': 'eur',
                'line_items[0][price_data][unit_amount]': '1900',
              },
            },
          ]);
          const body = { plan: 'pro', provider: 'sandbox' };
          await context.send(201, 'POST', 'billing/checkout', { body });
          expect(requests).toHaveLength(1);
          await context.send(201, 'POST', 'billing/checkout', { body: { ...body, provider: 'stripe' } });
          expect(requests).toHaveLength(2);
          expect(await paymentAndPlan(context, id)).toEqual(['pending', 'free']);
        }),
    },
    {
      title: 'only events signed by Stripe change a payment, and each only once',
      covers: [
        'billing.stripe.signature',
        'billing.stripe.events',
        'billing.webhook.signature',
        'billing.webhook.time',
        'billing.webhook.raw',
        'billing.webhook.parallel',
        'billing.paid.wins',
      ],
      run: ({ target }) =>
        withStripe(target, async (context) => {
          const { id, session } = await startCheckout(context, 'pro');
          const event = JSON.stringify(sessionEvent('completed', session));
          const good = signedByStripe(event);
          const forged: RequestOptions[] = [
            signedByStripe(event, Date.now(), 'whsec_guessed'),
            signedByStripe(event, Date.now() - 301_000),
            signedByStripe(event, Date.now() + 310_000),
            { ...good, body: `${event} ` },
            { ...good, headers: { 'content-type': 'application/json' } },
            { ...good, headers: { ...good.headers, 'stripe-signature': 'junk' } },
          ];
          for (const options of forged) {
            const { status, body } = await sendEvent(context, options);
            expect([status, body.code]).toEqual([400, 'invalid_signature']);
          }
          // A sandbox event must not settle a Stripe payment.
          expect((await deliverEvent(context, paymentEvent('succeeded', id))).status).toBe(200);
          expect(await paymentAndPlan(context, id)).toEqual(['pending', 'free']);

          const responses = await Promise.all(Array.from({ length: 20 }, () => sendEvent(context, good)));
          expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
          expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
          const failed = await startCheckout(context, 'large');
          await sendEvent(context, signedByStripe(sessionEvent('expired', failed.session)));
          expect(await paymentAndPlan(context, failed.id)).toEqual(['failed', 'pro']);
          await sendEvent(context, signedByStripe(sessionEvent('expired', session)));
          await sendEvent(
            context,
            signedByStripe(sessionEvent('completed', { ...failed.session, id: 'cs_of_others' })),
          );
          await sendEvent(
            context,
            signedByStripe({ ...sessionEvent('completed', failed.session), type: 'invoice.paid' }),
          );
          expect(await paymentAndPlan(context, failed.id)).toEqual(['failed', 'pro']);
          expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
          await sendEvent(context, signedByStripe(sessionEvent('completed', failed.session)));
          expect(await paymentAndPlan(context, failed.id)).toEqual(['paid', 'large']);
        }),
    },
    {
      title: 'the Stripe key and the Stripe webhook secret must be set together',
      covers: ['billing.stripe.whole', 'program.wrong_setting'],
      targets: ['program'],
      async run() {
        for (const [name, value, other] of [
          ['SERVICE_STRIPE_KEY', stripeKey, 'SERVICE_STRIPE_WEBHOOK_SECRET'],
          ['SERVICE_STRIPE_WEBHOOK_SECRET', stripeWebhookSecret, 'SERVICE_STRIPE_KEY'],
        ] as const) {
          const { code, output } = await runCommand(['--port', '0', '--storage', 'memory:'], { [name]: value });
          expect([code, output]).toEqual([1, expect.stringMatching(/^[^\n]+\n$/)]);
          expect(output).toMatch(new RegExp(`${name}.*${other}`));
          expect(output).not.toContain(value);
        }
      },
    },
    {
      title: 'the program accepts Stripe events for a payment that was started before a restart',
      covers: ['billing.stripe.signature', 'billing.webhook', 'billing.webhook.durable'],
      targets: ['program'],
      run: () =>
        withFolder(async (folder) => {
          const storage = `file:${folder}`;
          const target = {
            ...targets.file,
            createStorage: async () => ({ address: storage, folder, remove: async () => undefined }),
          };
          let event = {};
          await withStripe(target, async (context) => {
            event = sessionEvent('completed', (await startCheckout(context, 'pro')).session);
          });
          const env = {
            SERVICE_STRIPE_KEY: stripeKey,
            SERVICE_STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
            SERVICE_PLANS: JSON.stringify(planSettings.plans),
            SERVICE_PLAN: planSettings.plan,
          };
          await withServer(storage, env, async ({ call, send, output }) => {
            const forged = signedByStripe(event, Date.now(), 'whsec_guessed');
            expect((await call('POST', 'billing/webhook/stripe', forged)).body.code).toBe('invalid_signature');
            const response = await call('POST', 'billing/webhook/stripe', signedByStripe(event));
            expect([response.status, response.body]).toEqual([200, { received: true }]);
            const payment = await send(200, 'GET', 'billing/payments/1');
            expect(payment).toMatchObject({ plan: 'pro', status: 'paid' });
            for (const secret of [stripeKey, stripeWebhookSecret]) expect(output()).not.toContain(secret);
          });
        }),
    },
  ],
};
