import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
} from '../../../packages/server/test/billing/fake-stripe.ts';
import { readAnswer, toRequest, type Answer, type Ask, type Json } from '../answer.ts';
import type { Chapter } from '../chapter.ts';
import { catalogue, paymentEvent, deliver, stateOf } from '../payment-events.ts';
import { places, type Opened, type Place } from '../places.ts';
import { run, runToEnd, urlOf } from '../run-program.ts';
import { RunningServer } from '../running-server.ts';
import { adminToken, Scene } from '../scene.ts';

/** A server at a place, with an API of Stripe on this machine. */
async function withStripe(
  place: Place,
  use: (scene: Scene, stripe: FakeStripe) => Promise<void>,
  settings: ConfigInput = {},
): Promise<void> {
  const stripe = await startFakeStripe();
  const open = (storage: string, given: ConfigInput): Promise<Opened> => openWith(stripe, storage, given);
  const server = await RunningServer.start({ ...place, open }, { ...catalogue, ...stripeSettings, ...settings });
  try {
    await use(new Scene(server), stripe);
  } finally {
    await server.end();
    await stripe.close();
  }
}

async function openWith(stripe: FakeStripe, storage: string, settings: ConfigInput): Promise<Opened> {
  const services = await openServices(parseConfig({ ...settings, storage }), { stripeApi: stripe.api });
  const app = createApp(services);
  return {
    url: 'http://127.0.0.1:4400',
    fetch: async (request) => app.fetch(request),
    output: () => '',
    close: () => services.close(),
  };
}

/** Begins to pay; the number of the payment, and the session as Stripe tells of it. */
async function begin(scene: Scene, plan: string): Promise<{ id: number; session: Json }> {
  const { payment_id: id, checkout_url } = await scene.get(201, 'POST', 'billing/checkout', { body: { plan } });
  const session = { id: checkout_url.split('/').at(-1), client_reference_id: String(id), payment_status: 'paid' };
  return { id, session };
}

const tell = (scene: Scene, ask: Ask): Promise<Answer> => scene.call('POST', 'billing/webhook/stripe', ask);

/** Payments by Stripe, whose own library makes the checkouts and signs the events. */
export const stripe: Chapter = {
  name: 'stripe',
  places: ['memory', 'file', 'sqlite'],
  tests: [
    {
      title: 'a checkout is a session of Stripe for the price of the plan, and Stripe comes before the sandbox',
      proves: ['billing.stripe.session', 'billing.checkout.default', 'billing.checkout'],
      run: ({ place }) =>
        withStripe(place, async (scene, { asked }) => {
          const { id } = await begin(scene, 'pro');
          expect(asked).toMatchObject([
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
          await scene.get(201, 'POST', 'billing/checkout', { body });
          expect(asked).toHaveLength(1);
          await scene.get(201, 'POST', 'billing/checkout', { body: { ...body, provider: 'stripe' } });
          expect(asked).toHaveLength(2);
          expect(await stateOf(scene, id)).toEqual(['pending', 'free']);
        }),
    },
    {
      title: 'what Stripe has signed pays, once, and what another has signed does not',
      proves: [
        'billing.stripe.signature',
        'billing.stripe.events',
        'billing.webhook.signature',
        'billing.webhook.time',
        'billing.webhook.raw',
        'billing.webhook.parallel',
        'billing.paid.wins',
      ],
      run: ({ place }) =>
        withStripe(place, async (scene) => {
          const { id, session } = await begin(scene, 'pro');
          const event = JSON.stringify(sessionEvent('completed', session));
          const good = signedByStripe(event);
          const forged: Ask[] = [
            signedByStripe(event, Date.now(), 'whsec_guessed'),
            signedByStripe(event, Date.now() - 301_000),
            signedByStripe(event, Date.now() + 310_000),
            { ...good, body: `${event} ` },
            { ...good, headers: { 'content-type': 'application/json' } },
            { ...good, headers: { ...good.headers, 'stripe-signature': 'junk' } },
          ];
          for (const ask of forged) {
            const { status, body } = await tell(scene, ask);
            expect([status, body.code]).toEqual([400, 'invalid_signature']);
          }
          // Nor does the sandbox speak for Stripe.
          expect((await deliver(scene, paymentEvent('succeeded', id))).status).toBe(200);
          expect(await stateOf(scene, id)).toEqual(['pending', 'free']);

          const answers = await Promise.all(Array.from({ length: 20 }, () => tell(scene, good)));
          expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
          expect(await stateOf(scene, id)).toEqual(['paid', 'pro']);
          const failed = await begin(scene, 'large');
          await tell(scene, signedByStripe(sessionEvent('expired', failed.session)));
          expect(await stateOf(scene, failed.id)).toEqual(['failed', 'pro']);
          await tell(scene, signedByStripe(sessionEvent('expired', session)));
          await tell(scene, signedByStripe(sessionEvent('completed', { ...failed.session, id: 'cs_of_others' })));
          await tell(scene, signedByStripe({ ...sessionEvent('completed', failed.session), type: 'invoice.paid' }));
          expect(await stateOf(scene, failed.id)).toEqual(['failed', 'pro']);
          expect(await stateOf(scene, id)).toEqual(['paid', 'pro']);
          await tell(scene, signedByStripe(sessionEvent('completed', failed.session)));
          expect(await stateOf(scene, failed.id)).toEqual(['paid', 'large']);
        }),
    },
    {
      title: 'one half of its settings is a wrong setting',
      proves: ['billing.stripe.whole', 'program.wrong_setting'],
      places: ['program'],
      async run() {
        for (const [name, value, other] of [
          ['SERVICE_STRIPE_KEY', stripeKey, 'SERVICE_STRIPE_WEBHOOK_SECRET'],
          ['SERVICE_STRIPE_WEBHOOK_SECRET', stripeWebhookSecret, 'SERVICE_STRIPE_KEY'],
        ] as const) {
          const { code, said } = await runToEnd(['--port', '0', '--storage', 'memory:'], { [name]: value });
          expect([code, said]).toEqual([1, expect.stringMatching(/^[^\n]+\n$/)]);
          expect(said).toMatch(new RegExp(`${name}.*${other}`));
          expect(said).not.toContain(value);
        }
      },
    },
    {
      title: 'the program takes events of Stripe over a socket, for a payment that was begun before it started',
      proves: ['billing.stripe.signature', 'billing.webhook', 'billing.webhook.durable'],
      places: ['program'],
      async run() {
        const folder = await mkdtemp(join(tmpdir(), 'service-contract-'));
        const storage = `file:${folder}`;
        const place = {
          ...places.file,
          storage: async () => ({ address: storage, folder, remove: async () => undefined }),
        };
        try {
          let event = {};
          await withStripe(place, async (scene) => {
            event = sessionEvent('completed', (await begin(scene, 'pro')).session);
          });
          const env = {
            SERVICE_ADMIN_TOKEN: adminToken,
            SERVICE_STRIPE_KEY: stripeKey,
            SERVICE_STRIPE_WEBHOOK_SECRET: stripeWebhookSecret,
            SERVICE_PLANS: JSON.stringify(catalogue.plans),
            SERVICE_PLAN: catalogue.plan,
          };
          await run(['--port', '0', '--storage', storage], env, async ({ output }) => {
            const url = await urlOf(output);
            const call = async (method: string, path: string, ask: Ask): Promise<Answer> =>
              readAnswer(await fetch(toRequest(url, method, path, ask)));
            const forged = signedByStripe(event, Date.now(), 'whsec_guessed');
            expect((await call('POST', 'billing/webhook/stripe', forged)).body.code).toBe('invalid_signature');
            const answer = await call('POST', 'billing/webhook/stripe', signedByStripe(event));
            expect([answer.status, answer.body]).toEqual([200, { received: true }]);
            const { body: payment } = await call('GET', 'billing/payments/1', { token: adminToken });
            expect(payment).toMatchObject({ plan: 'pro', status: 'paid' });
            for (const secret of [stripeKey, stripeWebhookSecret]) expect(output()).not.toContain(secret);
          });
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    },
  ],
};
