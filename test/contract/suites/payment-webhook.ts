import { expect } from 'vitest';
import {
  deliverEvent,
  paymentAndPlan,
  paymentEvent,
  planSettings,
  sandboxRequest,
  signSandboxBody,
  startCheckout,
} from '../payment-events.ts';
import type { Suite } from '../suite.ts';

/** Changes one byte, but not the JSON value. */
const changedBody = (body: string): string => `${body} `;

/** Forged signatures, each computed from the body that is sent. */
const forgedSignatures: [name: string, sign: (body: string) => string][] = [
  ['empty', () => ''],
  ['with another secret', (body) => signSandboxBody(body, 0, 'guessed')],
  ['with an empty secret', (body) => signSandboxBody(body, 0, '')],
  ['of another body', (body) => signSandboxBody(changedBody(body))],
  [
    'with another time',
    (body) => signSandboxBody(body).replace(/t=(\d+)/, (_, time: string) => `t=${Number(time) - 1}`),
  ],
  ['without a time', (body) => signSandboxBody(body).replace(/t=\d+,/, '')],
  ['of another scheme', (body) => signSandboxBody(body).replace('v1', 'v0')],
  ['truncated', (body) => signSandboxBody(body).slice(0, -2)],
  ['malformed', () => ',t=,v1=,=,,'.repeat(100)],
];

/** Signed events of payment providers. */
export const paymentWebhook: Suite = {
  name: 'payment webhook',
  tests: [
    {
      title: 'a forged event returns 400 before any other check and changes nothing',
      covers: [
        'billing.webhook.signature',
        'billing.webhook.raw',
        'billing.webhook.first',
        'billing.sandbox.signature',
        'problem.invalid_signature',
      ],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const id = await startCheckout(context, 'pro');
        for (const [name, sign] of forgedSignatures)
          for (const event of [paymentEvent('succeeded', id), paymentEvent('succeeded', 99), '{', 'null', '{}']) {
            const { status, body } = await deliverEvent(context, event, sign);
            expect([name, status, body.code]).toEqual([name, 400, 'invalid_signature']);
          }
        // The same JSON value with other whitespace: the signature covers the bytes.
        const event = paymentEvent('succeeded', id);
        const pretty = JSON.stringify(event, null, 2);
        expect((await deliverEvent(context, pretty, () => signSandboxBody(JSON.stringify(event)))).status).toBe(400);
        expect(await paymentAndPlan(context, id)).toEqual(['pending', 'free']);
        expect((await deliverEvent(context, pretty)).status).toBe(200);
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
      },
    },
    {
      title: 'an event with a timestamp over 300 seconds off is rejected',
      covers: ['billing.webhook.time', 'problem.invalid_signature'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const id = await startCheckout(context, 'pro');
        // The margins allow for the seconds that the test itself takes.
        for (const offset of [-301, -86_400, 310, 86_400, 1e9, -1.7e9]) {
          const response = await deliverEvent(context, paymentEvent('succeeded', id), (body) =>
            signSandboxBody(body, offset),
          );
          expect([offset, response.status, response.body.code]).toEqual([offset, 400, 'invalid_signature']);
        }
        expect(await paymentAndPlan(context, id)).toEqual(['pending', 'free']);
        for (const offset of [-290, 299]) {
          const next = await startCheckout(context, 'pro');
          await deliverEvent(context, paymentEvent('succeeded', next), (body) => signSandboxBody(body, offset));
          expect([offset, ...(await paymentAndPlan(context, next))]).toEqual([offset, 'paid', 'pro']);
        }
      },
    },
    {
      title: 'the limit of 300 seconds for timestamps is exact',
      covers: ['billing.webhook.time'],
      settings: planSettings,
      controlsClock: true,
      async run(context) {
        for (const [offset, status] of [
          [-301, 400],
          [-300, 200],
          [300, 200],
          [301, 400],
        ] as const) {
          const event = paymentEvent('succeeded', await startCheckout(context, 'pro'));
          // With a fixed clock the test takes no time.
          const { vi } = await import('vitest');
          vi.setSystemTime(Date.UTC(2028, 0, 1, 12, 0, 0, 500));
          expect([
            offset,
            (await deliverEvent(context, event, (body) => signSandboxBody(body, offset))).status,
          ]).toEqual([offset, status]);
        }
      },
    },
    {
      title: 'a signed event for an unknown payment or of an unknown type returns 200 and changes nothing',
      covers: ['billing.webhook.unknown_payment', 'billing.webhook.unknown_type'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const id = await startCheckout(context, 'pro');
        for (const unknown of [id + 1, 0, -id, id + 0.5, 1e21, String(id), null, true, [id], { id }, undefined])
          expect([unknown, (await deliverEvent(context, paymentEvent('succeeded', unknown))).status]).toEqual([
            unknown,
            200,
          ]);
        for (const type of [
          'payment.refunded',
          'payment.succeeded ',
          'PAYMENT.SUCCEEDED',
          'succeeded',
          '',
          '__proto__',
        ])
          expect([type, (await deliverEvent(context, { ...paymentEvent('succeeded', id), type })).status]).toEqual([
            type,
            200,
          ]);
        expect(await paymentAndPlan(context, id)).toEqual(['pending', 'free']);
      },
    },
    {
      title: 'unknown fields of a payment event are ignored',
      covers: ['billing.webhook.unknown_fields', 'conv.unknown.webhook'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const id = await startCheckout(context, 'pro');
        const event = {
          ...paymentEvent('succeeded', id),
          amount: 5,
          plan: 'large',
          team_id: 9,
          nested: { a: [1, null] },
        };
        const body = `${JSON.stringify(event).slice(0, -1)},"__proto__":{"payment_id":99}}`;
        expect((await deliverEvent(context, body)).status).toBe(200);
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
      },
    },
    {
      title: 'an invalid event body returns its problem, one over 64 KiB returns 413',
      covers: ['billing.webhook.limit', 'limits.json', 'problem.payload_too_large.stream', 'conv.bodies.type'],
      async run(context) {
        const outcome = (body: string, headers = {}): Promise<unknown> => {
          const options = sandboxRequest(body);
          return context.outcome('POST', 'billing/webhook/sandbox', {
            ...options,
            headers: { ...options.headers, ...headers },
          });
        };
        const event = JSON.stringify(paymentEvent('succeeded', 900_000_000));
        expect(await outcome(event.padEnd(65_536))).toBe(200);
        expect(await outcome(event.padEnd(65_537))).toBe('payload_too_large');
        expect(await outcome(event, { 'content-type': 'text/plain' })).toBe('unsupported_media_type');
        for (const [body, code] of [
          ['', 'malformed_json'],
          ['{', 'malformed_json'],
          ['null', 'validation_failed'],
          ['[]', 'validation_failed'],
          ['{}', 'validation_failed'],
          ['{"id":5,"type":"payment.succeeded","payment_id":1}', 'validation_failed'],
          [`{"id":"evt","type":"x","deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 200],
        ] as const)
          expect([body.slice(0, 40), await outcome(body)]).toEqual([body.slice(0, 40), code]);
      },
    },
  ],
};
