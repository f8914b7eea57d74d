import type { Checkout } from '@service/protocol';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
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
import { checkOut, hosted, payment, paymentEvent, planOf, send } from './payments.ts';
import type { Answer, CallOptions } from '../test-utils/service.ts';
import { openService, type OpenService } from '../test-utils/services.ts';

const { sandboxSecret: _, ...plans } = hosted;
const settings = { ...plans, ...stripeSettings };

let stripe: FakeStripe;

beforeAll(async () => void (stripe = await startFakeStripe()));
afterEach(() => stripe.answerWith(null));
afterAll(() => stripe.close());

const open = (config = {}, edges: Edges = {}): Promise<OpenService> =>
  openService({ ...settings, baseUrl: 'https://errors.example', ...config }, { stripeApi: stripe.api, ...edges });

interface Begun {
  id: number;
  /** As Stripe knows it. */
  session: { id: string; client_reference_id: string; payment_status: string };
}

async function begin({ call }: OpenService, plan = 'pro'): Promise<Begun> {
  const id = await checkOut(call, plan);
  return {
    id,
    session: { id: `cs_test_${stripe.asked.length}`, client_reference_id: String(id), payment_status: 'paid' },
  };
}

const deliver = ({ call }: OpenService, ask: CallOptions): Promise<Answer> =>
  call('POST', 'billing/webhook/stripe', ask);

/** What is left of an event: its status, that of the payment, and the plan. */
async function told(service: OpenService, ask: CallOptions, id: number): Promise<unknown[]> {
  const { status, body } = await deliver(service, ask);
  return [body.code ?? status, (await payment(service.call, id)).status, await planOf(service.call)];
}

describe('a checkout of Stripe', () => {
  test('is a session for the price of the plan, with the number of the payment', async () => {
    const { call, close } = await open();
    const { status, body } = await call<Checkout>('POST', 'billing/checkout', { body: { plan: 'pro' } });
    const session = `cs_test_${stripe.asked.length}`;
    expect([status, body]).toEqual([
      201,
      { payment_id: 1, checkout_url: `https://checkout.stripe.com/c/pay/${session}` },
    ]);
    expect(stripe.asked.at(-1)).toEqual({
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

  test('is what is taken without a word, also where there is a sandbox', async () => {
    const written: string[] = [];
    const logTo = { write: (line: string) => void written.push(line) };
    const { call, close } = await open({ sandboxSecret: hosted.sandboxSecret, logLevel: 'warn' }, { logTo });
    // Nobody shall sell plans that can be had for nothing.
    expect(written.join('')).toContain('every owner of a team may have every plan for nothing');
    const url = async (provider?: string): Promise<string> => {
      const { body } = await call<Checkout>('POST', 'billing/checkout', { body: { plan: 'pro', provider } });
      return body.checkout_url;
    };
    expect(await url()).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(await url('stripe')).toMatch(/^https:\/\/checkout\.stripe\.com\//);
    expect(await url('sandbox')).toMatch(/^https:\/\/errors\.example\/billing\/sandbox\/3\//);
    await close();
  });

  test.each<[what: string, status: number, body: object]>([
    ['refuses the key', 401, { error: { type: 'invalid_request_error', message: `Invalid API Key: ${stripeKey}` } }],
    ['refuses the request', 400, { error: { type: 'invalid_request_error', message: 'Amount too small' } }],
    ['has a fault', 500, { error: { type: 'api_error', message: 'Oh no' } }],
    ['answers with something else', 200, { id: 'cs_test_x', url: null }],
  ])('that Stripe %s is told to try again, and has failed', async (_what, status, body) => {
    const written: string[] = [];
    const service = await open({ logLevel: 'trace' }, { logTo: { write: (line) => void written.push(line) } });
    const { call, close } = service;
    stripe.answerWith((_request, response) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body)),
    );
    const answer = await call('POST', 'billing/checkout', { body: { plan: 'pro' } });
    expect([answer.status, answer.body.code]).toEqual([503, 'overloaded']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await payment(call, 1)).toMatchObject({ status: 'failed', paid_at: null });
    // The operator is told why, and nobody the key.
    expect(written.join('')).toContain('a checkout could not be opened');
    expect(written.join('') + answer.text).not.toContain(stripeKey);
    stripe.answerWith(null);
    expect((await begin(service)).id).toBe(2);
    await close();
  });

  test('that Stripe breaks off is tried once more', async () => {
    const service = await open();
    let breaks = 1;
    const before = stripe.asked.length;
    stripe.answerWith((request, response) => {
      if (breaks-- > 0) request.socket.destroy();
      else
        response.writeHead(200, { 'Content-Type': 'application/json' }).end('{"id":"cs_1","url":"https://s.example/"}');
    });
    const { body } = await service.call<Checkout>('POST', 'billing/checkout', { body: { plan: 'pro' } });
    expect(body.checkout_url).toBe('https://s.example/');
    expect(stripe.asked.length - before).toBe(2);
    await service.close();
  });
});

describe('an event of Stripe', () => {
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
    const { id, session } = await begin(service);
    const event = sessionEvent(type, { ...session, payment_status }, { created: 1_795_000_000 });
    expect(await told(service, signedByStripe(event), id)).toEqual([200, ends, ends === 'paid' ? 'pro' : 'free']);
    const { paid_at } = await payment(service.call, id);
    expect(paid_at).toBe(ends === 'paid' ? '2026-11-18T11:06:40.000Z' : null);
    await service.close();
  });

  test('pays once, however often it comes', async () => {
    const service = await open();
    const { tables } = service.services.store.model;
    const { id, session } = await begin(service);
    const ask = signedByStripe(sessionEvent('completed', session));
    const { version } = tables.teams;
    const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(service, ask)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    expect(tables.teams.version).toBe(version + 1);
    await setPlan(service.services, '1', 'large');
    expect(await told(service, ask, id)).toEqual([200, 'paid', 'large']);
    expect(await told(service, signedByStripe(sessionEvent('expired', session)), id)).toEqual([200, 'paid', 'large']);
    await service.close();
  });

  test('is believed by its signature alone, which is at most 300 seconds off', async () => {
    const now = Date.UTC(2026, 10, 21, 12);
    const service = await open({}, { now: () => now });
    const { id, session } = await begin(service);
    const event = JSON.stringify(sessionEvent('completed', session));
    const good = signedByStripe(event, now);
    const header = good.headers['stripe-signature'] ?? '';
    const forged: [what: string, ask: CallOptions][] = [
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
      ['none', { ...good, headers: { 'content-type': 'application/json' } }],
      ['that of the sandbox', { ...good, headers: { 'content-type': 'application/json', 'x-signature': header } }],
    ];
    for (const [what, ask] of forged)
      expect([what, ...(await told(service, ask, id))]).toEqual([what, 'invalid_signature', 'pending', 'free']);
    for (const at of [now - 300_000, now + 300_000]) {
      const { id: next, session: of } = await begin(service);
      expect((await told(service, signedByStripe(sessionEvent('completed', of), at), next))[1]).toBe('paid');
    }
    await service.close();
  });

  test('of a payment that is none of this server’s changes nothing', async () => {
    const service = await open({ sandboxSecret: hosted.sandboxSecret });
    const { id, session } = await begin(service);
    const ofOthers = [
      // Another server with the same account counts alike.
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
    for (const each of ofOthers)
      expect(await told(service, signedByStripe(sessionEvent('completed', each)), id)).toEqual([
        200,
        'pending',
        'free',
      ]);
    // Nor does the sandbox pay what Stripe was asked for, nor is there a page for it.
    expect((await send(service.call, paymentEvent('succeeded', id))).status).toBe(200);
    expect((await payment(service.call, id)).status).toBe('pending');
    await service.close();
  });

  test.each<[what: string, body: string, status: number]>([
    ['nothing', '', 400],
    ['broken JSON', '{', 400],
    ['null', 'null', 422],
    ['an array', '[]', 422],
    ['nothing in it', '{}', 422],
    ['a thin event', '{"id":"evt_1","object":"v2.core.event","type":"v1.x"}', 422],
    ['no data', '{"id":"evt_1","type":"checkout.session.completed","created":1}', 422],
    ['data that is none', '{"id":"evt_1","type":"checkout.session.completed","created":1,"data":{"object":null}}', 200],
    ['a time that is none', '{"id":"evt_1","type":"x","created":1e300,"data":{}}', 422],
    ['a time that no date has', '{"id":"evt_1","type":"x","created":9007199254740991,"data":{"object":{}}}', 422],
  ])('with %s in its body is no defect', async (_what, body, status) => {
    const service = await open();
    const answer = await deliver(service, signedByStripe(body));
    expect(answer.status, answer.text).toBe(status);
    await service.close();
  });

  test('that was long on its way takes no plan away that was paid later', async () => {
    const service = await open();
    const [first, second] = [await begin(service, 'pro'), await begin(service, 'large')];
    const created = Math.floor(Date.now() / 1_000);
    await deliver(service, signedByStripe(sessionEvent('completed', second.session, { created })));
    const late = signedByStripe(sessionEvent('completed', first.session, { created: created - 86_400 }));
    expect(await told(service, late, first.id)).toEqual([200, 'paid', 'large']);
    // In the right order, and in the same second, the last one counts.
    const third = await begin(service, 'pro');
    const next = signedByStripe(sessionEvent('completed', third.session, { created }));
    expect(await told(service, next, third.id)).toEqual([200, 'paid', 'pro']);
    await service.close();
  });

  test('that was long on its way takes no plan away that the operator set since, and one that was paid later does', async () => {
    const service = await open();
    const [first, second] = [await begin(service, 'pro'), await begin(service, 'large')];
    await setPlan(service.services, '1', 'free');
    const created = Math.floor(Date.now() / 1_000);
    const late = signedByStripe(sessionEvent('completed', first.session, { created: created - 60 }));
    expect(await told(service, late, first.id)).toEqual([200, 'paid', 'free']);
    const next = signedByStripe(sessionEvent('completed', second.session, { created }));
    expect(await told(service, next, second.id)).toEqual([200, 'paid', 'large']);
    await service.close();
  });

  test('leaves no secret in the log or in an answer', async () => {
    const written: string[] = [];
    const service = await open({ logLevel: 'trace' }, { logTo: { write: (line) => void written.push(line) } });
    const { session } = await begin(service);
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
