import type { Checkout, Page, Payment } from '@service/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startBackground } from '../../src/background.ts';
import { setPlan } from '../../src/billing/set-plan.ts';
import type { Edges } from '../../src/services.ts';
import {
  sessionEvent,
  signedByStripe,
  startFakeStripe,
  stripeKey,
  stripeSettings,
  stripeWebhookSecret,
  type FakeStripe,
} from './fake-stripe.ts';
import { startMailSink } from '../mails/mail-sink.ts';
import { checkOut, hosted, payment, paymentEvent, planOf, send } from '../billing/sandbox-payments.ts';
import type { TestResponse, CallOptions } from '../test-utils/describe-service.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

const { sandboxSecret: _, ...plans } = hosted;
const settings = { ...plans, ...stripeSettings };

let stripe: FakeStripe;

beforeAll(async () => void (stripe = await startFakeStripe()));
afterEach(() => stripe.respondWith(null));
afterAll(() => stripe.close());

const open = (config = {}, edges: Edges = {}): Promise<OpenService> =>
  openService({ ...settings, baseUrl: 'https://errors.example', ...config }, { stripeApi: stripe.api, ...edges });

interface StartedPayment {
  id: number;
  /** The fields of Stripe's session. */
  session: { id: string; client_reference_id: string; payment_status: string };
}

async function startPayment({ call }: OpenService, plan = 'pro'): Promise<StartedPayment> {
  const id = await checkOut(call, plan);
  return {
    id,
    session: { id: `cs_test_${stripe.requests.length}`, client_reference_id: String(id), payment_status: 'paid' },
  };
}

const deliver = ({ call }: OpenService, ask: CallOptions): Promise<TestResponse> =>
  call('POST', 'billing/webhook/stripe', ask);

/** Delivers an event. Returns its code or status, the status of the payment, and the plan. */
async function outcomeOf(service: OpenService, ask: CallOptions, id: number): Promise<unknown[]> {
  const { status, body } = await deliver(service, ask);
  return [body.code ?? status, (await payment(service.call, id)).status, await planOf(service.call)];
}

describe('a Stripe checkout', () => {
  test('a Stripe checkout opens a session with the price of the plan and the id of the payment', async () => {
    const { call, close } = await open();
    const { status, body } = await call<Checkout>('POST', 'billing/checkout', { body: { plan: 'pro' } });
    const session = `cs_test_${stripe.requests.length}`;
    expect([status, body]).toEqual([
      201,
      { payment_id: 1, checkout_url: `https://checkout.stripe.com/c/pay/${session}` },
    ]);
    expect(stripe.requests.at(-1)).toEqual({
      path: '/v1/checkout/sessions',
      authorization: `Bearer ${stripeKey}`,
      fields: {
        mode: 'payment',
        client_reference_id: '1',
        'metadata[payment_id]': '1',
        'payment_intent_data[metadata][payment_id]': '1',
        'line_items[0][quantity]': '1',
        'line_items[0][price_data][currency]': 'eur',
        'line_items[0][price_data][unit_amount]': '1900',
        'line_items[0][price_data][product_data][name]': 'Pro',
        success_url: 'https://errors.example/#payment=1',
        cancel_url: 'https://errors.example/#cancelled=1',
      },
    });
    expect(await planOf(call)).toBe('free');
    await close();
  });

  test('Stripe is the default provider, also if the sandbox is enabled', async () => {
    const written: string[] = [];
    const logTo = { write: (line: string) => void written.push(line) };
    const { call, close } = await open({ sandboxSecret: hosted.sandboxSecret, logLevel: 'warn' }, { logTo });
    // The operator must learn that paid plans are available for free.
    expect(written.join('')).toContain('every owner of a team can get every plan for free');
    const url = async (provider?: string): Promise<string> => {
      const { body } = await call<Checkout>('POST', 'billing/checkout', { body: { plan: 'pro', provider } });
      return body.checkout_url;
    };
    expect(await url()).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(await url('stripe')).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(await url('sandbox')).toMatch(/^https:\/\/errors\.example\/billing\/sandbox\/3\//);
    await close();
  });

  test.each<[failure: string, status: number, body: object]>([
    ['rejects the key', 401, { error: { type: 'invalid_request_error', message: `Invalid API Key: ${stripeKey}` } }],
    ['rejects the request', 400, { error: { type: 'invalid_request_error', message: 'Amount too small' } }],
    ['fails', 500, { error: { type: 'api_error', message: 'Oh no' } }],
    ['returns another format', 200, { id: 'cs_test_x', url: null }],
  ])('a checkout responds 503 and its payment fails if Stripe %s', async (_failure, status, body) => {
    const written: string[] = [];
    const service = await open({ logLevel: 'trace' }, { logTo: { write: (line) => void written.push(line) } });
    const { call, close } = service;
    stripe.respondWith((_request, response) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    );
    const checkout = await call('POST', 'billing/checkout', { body: { plan: 'pro' } });
    expect([checkout.status, checkout.body.code]).toEqual([503, 'overloaded']);
    expect(Number(checkout.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await payment(call, 1)).toMatchObject({ status: 'failed', paid_at: null });
    // The log has the cause. Neither the log nor the response has the key.
    expect(written.join('')).toContain('a checkout could not be opened');
    expect(written.join('') + checkout.text).not.toContain(stripeKey);
    stripe.respondWith(null);
    expect((await startPayment(service)).id).toBe(2);
    await close();
  });

  test('a checkout is retried once if Stripe closes the connection', async () => {
    const service = await open();
    let failures = 1;
    const before = stripe.requests.length;
    stripe.respondWith((request, response) => {
      if (failures-- > 0) request.socket.destroy();
      else
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":"cs_1","url":"https://s.example/"}');
    });
    const { body } = await service.call<Checkout>('POST', 'billing/checkout', { body: { plan: 'pro' } });
    expect(body.checkout_url).toBe('https://s.example/');
    expect(stripe.requests.length - before).toBe(2);
    await service.close();
  });
});

describe('a Stripe event', () => {
  test.each<[type: string, status: string, ends: 'pending' | 'paid' | 'failed']>([
    ['completed', 'paid', 'paid'],
    ['completed', 'no_payment_required', 'paid'],
    ['completed', 'unpaid', 'pending'],
    ['async_payment_succeeded', 'paid', 'paid'],
    ['async_payment_failed', 'unpaid', 'failed'],
    ['expired', 'unpaid', 'failed'],
    ['created', 'paid', 'pending'],
  ])('checkout.session.%s with %s leaves a payment %s', async (type, payment_status, ends) => {
    const service = await open();
    const { id, session } = await startPayment(service);
    const event = sessionEvent(type, { ...session, payment_status }, { created: 1_795_000_000 });
    expect(await outcomeOf(service, signedByStripe(event), id)).toEqual([200, ends, ends === 'paid' ? 'pro' : 'free']);
    const { paid_at } = await payment(service.call, id);
    expect(paid_at).toBe(ends === 'paid' ? '2026-11-18T11:06:40.000Z' : null);
    await service.close();
  });

  test('repeated Stripe events pay once', async () => {
    const service = await open();
    const { tables } = service.services.store.model;
    const { id, session } = await startPayment(service);
    const ask = signedByStripe(sessionEvent('completed', session));
    const { version } = tables.teams;
    const responses = await Promise.all(Array.from({ length: 20 }, () => deliver(service, ask)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    expect(tables.teams.version).toBe(version + 1);
    await setPlan(service.services, '1', 'large');
    expect(await outcomeOf(service, ask, id)).toEqual([200, 'paid', 'large']);
    expect(await outcomeOf(service, signedByStripe(sessionEvent('expired', session)), id)).toEqual([
      200,
      'paid',
      'large',
    ]);
    await service.close();
  });

  test('a Stripe event requires a valid signature that is at most 300 seconds off', async () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const service = await open({}, { now: () => now });
    const { id, session } = await startPayment(service);
    const event = JSON.stringify(sessionEvent('completed', session));
    const good = signedByStripe(event, now);
    const header = good.headers['stripe-signature'] ?? '';
    const forged: [name: string, request: CallOptions][] = [
      ['another secret', signedByStripe(event, now, 'whsec_guessed')],
      ['another body', { ...good, body: event.replace('"livemode":false', '"livemode":true ') }],
      ['301 seconds old', signedByStripe(event, now - 301_000)],
      ['301 seconds ahead', signedByStripe(event, now + 301_000)],
      ...[
        '',
        't=,v1=',
        ',,,=,t',
        header.replace(/t=\d+/, `t=${Math.floor(now / 1_000) + 1}`),
        header.replace('v1=', 'v0='),
        header.replace(/t=\d+,/, ''),
        header.replace(/t=\d+/, 't=NaN'),
        header.slice(0, -1),
        `t=${'9'.repeat(10_000)},${'v1=0,'.repeat(500)}`,
      ].map((text): [string, CallOptions] => [
        text.slice(0, 50),
        { ...good, headers: { ...good.headers, 'stripe-signature': text } },
      ]),
      ['no signature', { ...good, headers: { 'content-type': 'application/json' } }],
      [
        'the header of the sandbox',
        { ...good, headers: { 'content-type': 'application/json', 'x-signature': header } },
      ],
    ];
    for (const [name, request] of forged)
      expect([name, ...(await outcomeOf(service, request, id))]).toEqual([
        name,
        'invalid_signature',
        'pending',
        'free',
      ]);
    for (const at of [now - 300_000, now + 300_000]) {
      const { id: next, session: of } = await startPayment(service);
      expect((await outcomeOf(service, signedByStripe(sessionEvent('completed', of), at), next))[1]).toBe('paid');
    }
    await service.close();
  });

  test('a Stripe event for a payment of another server changes nothing', async () => {
    const service = await open({ sandboxSecret: hosted.sandboxSecret });
    const { id, session } = await startPayment(service);
    const foreignSessions = [
      // Another server with the same Stripe account uses the same payment ids.
      { ...session, id: 'cs_test_of_another_server' },
      { ...session, client_reference_id: '99' },
      { ...session, client_reference_id: null },
      { ...session, client_reference_id: `${id}.0` },
      { ...session, client_reference_id: `0${id}` },
      { ...session, client_reference_id: '__proto__' },
      { id: session.id },
      {},
      { id: 7 },
    ];
    for (const each of foreignSessions)
      expect(await outcomeOf(service, signedByStripe(sessionEvent('completed', each)), id)).toEqual([
        200,
        'pending',
        'free',
      ]);
    // An event of the sandbox does not pay a payment of Stripe.
    expect((await send(service.call, paymentEvent('succeeded', id))).status).toBe(200);
    expect((await payment(service.call, id)).status).toBe('pending');
    await service.close();
  });

  test.each<[name: string, body: string, status: number]>([
    ['an empty body', '', 400],
    ['broken JSON', '{', 400],
    ['null', 'null', 422],
    ['an array', '[]', 422],
    ['an empty object', '{}', 422],
    ['a thin event', '{"id":"evt_1","object":"v2.core.event","type":"v1.x"}', 422],
    ['no data', '{"id":"evt_1","type":"checkout.session.completed","created":1}', 422],
    ['null as data', '{"id":"evt_1","type":"checkout.session.completed","created":1,"data":{"object":null}}', 200],
    ['no time', '{"id":"evt_1","type":"x","data":{"object":{}}}', 200],
    ['a time that is not an integer', '{"id":"evt_1","type":"x","created":1e300,"data":{}}', 422],
    ['a time beyond the last date', '{"id":"evt_1","type":"x","created":9007199254740991,"data":{"object":{}}}', 422],
  ])('a signed Stripe event with %s causes no server error', async (_name, body, status) => {
    const service = await open();
    const response = await deliver(service, signedByStripe(body));
    expect(response.status, response.text).toBe(status);
    await service.close();
  });

  test('a late Stripe event does not replace the plan of a later payment', async () => {
    const service = await open();
    const [first, second] = [await startPayment(service, 'pro'), await startPayment(service, 'large')];
    const created = Math.floor(Date.now() / 1_000);
    await deliver(service, signedByStripe(sessionEvent('completed', second.session, { created })));
    const late = signedByStripe(sessionEvent('completed', first.session, { created: created - 86_400 }));
    expect(await outcomeOf(service, late, first.id)).toEqual([200, 'paid', 'large']);
    // Of two payments in the same second, the later event wins.
    const third = await startPayment(service, 'pro');
    const next = signedByStripe(sessionEvent('completed', third.session, { created }));
    expect(await outcomeOf(service, next, third.id)).toEqual([200, 'paid', 'pro']);
    await service.close();
  });

  test('a late Stripe event does not replace a plan that the operator set, but a later payment does', async () => {
    const service = await open();
    const [first, second] = [await startPayment(service, 'pro'), await startPayment(service, 'large')];
    await setPlan(service.services, '1', 'free');
    const created = Math.floor(Date.now() / 1_000);
    const late = signedByStripe(sessionEvent('completed', first.session, { created: created - 60 }));
    expect(await outcomeOf(service, late, first.id)).toEqual([200, 'paid', 'free']);
    const next = signedByStripe(sessionEvent('completed', second.session, { created }));
    expect(await outcomeOf(service, next, second.id)).toEqual([200, 'paid', 'large']);
    await service.close();
  });

  test('Stripe events leave no secret in the log or in a response', async () => {
    const written: string[] = [];
    const service = await open({ logLevel: 'trace' }, { logTo: { write: (line) => void written.push(line) } });
    const { session } = await startPayment(service);
    const event = sessionEvent('completed', session);
    for (const ask of [
      signedByStripe(event),
      signedByStripe(event, 0),
      signedByStripe(event, Date.now(), 'whsec_guessed'),
      signedByStripe(stripeWebhookSecret, Date.now(), 'whsec_guessed'),
      signedByStripe('{'),
    ])
      written.push((await deliver(service, ask)).text);
    expect(written.join('')).toContain('payment event received');
    for (const secret of [stripeKey, stripeWebhookSecret, 'v1=']) expect(written.join('')).not.toContain(secret);
    await service.close();
  });
});

/** Returns a signed event about a charge or a dispute. `created` is in seconds. */
function about(type: string, object: object, created = 1_800_000_000): CallOptions {
  return signedByStripe({
    id: `evt_${type}_${JSON.stringify(object).length}_${created}`,
    type,
    created,
    data: { object },
  });
}

describe('refunds and disputes by Stripe', () => {
  const intent = { payment_intent: 'pi_1' };
  const refund = { ...intent, amount_refunded: 1_900, currency: 'eur' };

  test('refunds and disputes are recorded in any order, shown in billing and mailed to the owners', async () => {
    const sink = await startMailSink();
    const service = await open({
      smtpUrl: sink.url,
      supportEmail: 'help@service.example',
      adminEmail: 'ada@shop.example',
    });
    startBackground(service.services);
    const { id, session } = await startPayment(service);
    const paid = sessionEvent('completed', { ...session, ...intent });
    expect(await outcomeOf(service, signedByStripe(paid), id)).toEqual([200, 'paid', 'pro']);
    const refunded = (amount_refunded: number): CallOptions =>
      about('charge.refunded', { ...intent, amount_refunded, currency: 'eur' });
    // Events of other payments change nothing.
    await deliver(service, about('charge.refunded', { payment_intent: 'pi_2', amount_refunded: 1, currency: 'eur' }));
    expect(await payment(service.call, id)).not.toHaveProperty('refund');
    await deliver(service, refunded(1_900));
    await deliver(service, refunded(500));
    await deliver(service, about('charge.dispute.closed', { ...intent, status: 'lost' }, 1_800_000_100));
    await deliver(service, about('charge.dispute.created', { ...intent, status: 'needs_response' }));
    const at = '2027-01-15T08:00:00.000Z';
    const { body } = await service.call<Page<Payment>>('GET', 'billing/payments');
    expect(body.items).toEqual([
      expect.objectContaining({
        payment_id: id,
        status: 'paid',
        refund: { amount: 1_900, currency: 'EUR', at },
        dispute: { status: 'lost', at: '2027-01-15T08:01:40.000Z' },
      }),
    ]);
    expect(await planOf(service.call)).toBe('pro');
    await expect.poll(() => sink.to('ada@shop.example').length).toBe(2);
    expect(sink.to('ada@shop.example')[0]?.text).toContain(`payment number ${id}`);
    await service.close();
    await sink.close();
  });

  test('a refund and a dispute that arrive before their checkout are recorded with it, also after a replay', async () => {
    const service = await open();
    await service.services.ownerSetup.done;
    const { id, session } = await startPayment(service);
    const closed = about('charge.dispute.closed', { ...intent, status: 'lost' }, 1_800_000_100);
    for (const event of [about('charge.refunded', refund), closed, closed])
      expect((await deliver(service, event)).status).toBe(200);
    expect(await payment(service.call, id)).toMatchObject({ status: 'pending' });
    const paid = signedByStripe(sessionEvent('completed', { ...session, ...intent }));
    expect(await outcomeOf(service, paid, id)).toEqual([200, 'paid', 'pro']);
    const recorded = await payment(service.call, id);
    expect(recorded).toMatchObject({
      refund: { amount: 1_900, currency: 'EUR' },
      dispute: { status: 'lost', at: '2027-01-15T08:01:40.000Z' },
    });
    const { batchNumber } = service.services.store.model;
    await deliver(service, closed);
    expect(service.services.store.model.batchNumber).toBe(batchNumber);
    await service.close();
  });

  test('refunds of payments of other servers are kept up to a limit', async () => {
    const service = await open();
    const { id, session } = await startPayment(service);
    await deliver(service, about('charge.refunded', refund));
    const sizes: number[] = [];
    for (let number = 0; number < 300; number++) {
      const other = { ...refund, payment_intent: `pi_other_${number}` };
      await deliver(service, about('charge.refunded', other, 1_800_000_000 + number));
      sizes.push(service.services.store.model.tables.settings.get('early_reversals')?.value.length ?? 0);
    }
    expect(sizes.at(-1)).toBeLessThan(Math.max(...sizes.slice(0, 150)) * 1.1);
    await outcomeOf(service, signedByStripe(sessionEvent('completed', { ...session, ...intent })), id);
    expect(await payment(service.call, id)).not.toHaveProperty('refund');
    await service.close();
  });

  test('a payment that is disputed again shows the later dispute', async () => {
    const service = await open();
    const { id, session } = await startPayment(service);
    await deliver(service, signedByStripe(sessionEvent('completed', { ...session, ...intent })));
    const open1 = about('charge.dispute.created', { ...intent, status: 'needs_response' });
    const won = about('charge.dispute.closed', { ...intent, status: 'won' }, 1_800_000_100);
    const open2 = about('charge.dispute.created', { ...intent, status: 'needs_response' }, 1_800_000_200);
    for (const [event, status] of [
      [open1, 'open'],
      [won, 'won'],
      [open2, 'open'],
      [won, 'open'],
    ] as const) {
      await deliver(service, event);
      expect((await payment(service.call, id)).dispute?.status).toBe(status);
    }
    await service.close();
  });
});
