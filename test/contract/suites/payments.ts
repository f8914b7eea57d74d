import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { buildRequest } from '../api-call.ts';
import { adminToken, sandboxSecret } from '../credentials.ts';
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
import { runProgram, runCommand, listeningUrl } from '../run-program.ts';
import type { Suite } from '../suite.ts';

/** Bodies are told apart to the last byte. */
const changedBody = (body: string): string => `${body} `;

/** How an event may be forged: the header made of the body that is sent. */
const forgedSignatures: [what: string, sign: (body: string) => string][] = [
  ['without a word', () => ''],
  ['by another secret', (body) => signSandboxBody(body, 0, 'guessed')],
  ['by no secret', (body) => signSandboxBody(body, 0, '')],
  ['of other bytes', (body) => signSandboxBody(changedBody(body))],
  [
    'with another time',
    (body) => signSandboxBody(body).replace(/t=(\d+)/, (_, time: string) => `t=${Number(time) - 1}`),
  ],
  ['without a time', (body) => signSandboxBody(body).replace(/t=\d+,/, '')],
  ['of another scheme', (body) => signSandboxBody(body).replace('v1', 'v0')],
  ['cut short', (body) => signSandboxBody(body).slice(0, -2)],
  ['as junk', () => ',t=,v1=,=,,'.repeat(100)],
];

/** A plan is paid for, and providers tell of it. */
export const payments: Suite = {
  name: 'payments',
  tests: [
    {
      title: 'a checkout is a payment that is pending, and changes no plan',
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
      title: 'owners alone check out; whoever reads may see what became of it',
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
      title: 'only a plan that is there can be paid for, and only by who takes payments here',
      covers: ['billing.checkout.plan', 'billing.checkout.provider', 'problem.provider_not_found'],
      settings: planSettings,
      async run(context) {
        const codeOf = (body: object): Promise<unknown> => context.outcome('POST', 'billing/checkout', { body });
        for (const plan of ['gold', 'PRO', '', ' pro', 'x'.repeat(300), 5, null, ['pro'], {}])
          expect([plan, await codeOf({ plan })]).toEqual([plan, 'validation_failed']);
        expect(await codeOf({})).toBe('validation_failed');
        expect(await codeOf({ plan: 'pro', provider: 5 })).toBe('validation_failed');
        for (const provider of ['stripe', 'paypal', 'SANDBOX', '', '__proto__'])
          expect([provider, await codeOf({ plan: 'pro', provider })]).toEqual([provider, 'provider_not_found']);
      },
    },
    {
      title: 'without the secret of the sandbox nobody takes payments',
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
      title: 'a payment is its team’s own',
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
      title: 'what is paid for is there at once, and what was used stays used',
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
      title: 'twenty replays at once pay once, and one later takes nothing back',
      covers: ['billing.webhook.parallel', 'billing.webhook.replay', 'billing.paid.holds'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const id = await startCheckout(context, 'pro');
        const event = paymentEvent('succeeded', id);
        const answers = await Promise.all(Array.from({ length: 20 }, () => deliverEvent(context, event)));
        expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
        const paid = await context.send(200, 'GET', `billing/payments/${id}`);
        // Another plan is paid; then nothing of the first payment counts any more.
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
        // An event that came already pays for nothing else.
        const third = await startCheckout(context, 'pro');
        expect((await deliverEvent(context, { ...event, payment_id: third })).status).toBe(200);
        expect(await paymentAndPlan(context, third)).toEqual(['pending', 'large']);
      },
    },
    {
      title: 'paid wins over failed, whichever comes first',
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
      title: 'a forged event is 400 and changes nothing, whatever else is wrong with it',
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
        for (const [what, sign] of forgedSignatures)
          for (const event of [paymentEvent('succeeded', id), paymentEvent('succeeded', 99), '{', 'null', '{}']) {
            const { status, body } = await deliverEvent(context, event, sign);
            expect([what, status, body.code]).toEqual([what, 400, 'invalid_signature']);
          }
        // As another program may write the same JSON: bytes count, not what they say.
        const event = paymentEvent('succeeded', id);
        const pretty = JSON.stringify(event, null, 2);
        expect((await deliverEvent(context, pretty, () => signSandboxBody(JSON.stringify(event)))).status).toBe(400);
        expect(await paymentAndPlan(context, id)).toEqual(['pending', 'free']);
        expect((await deliverEvent(context, pretty)).status).toBe(200);
        expect(await paymentAndPlan(context, id)).toEqual(['paid', 'pro']);
      },
    },
    {
      title: 'an event of a time that is more than 300 seconds off is none',
      covers: ['billing.webhook.time', 'problem.invalid_signature'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const id = await startCheckout(context, 'pro');
        // A second or two go by on the way.
        for (const off of [-301, -86_400, 310, 86_400, 1e9, -1.7e9]) {
          const answer = await deliverEvent(context, paymentEvent('succeeded', id), (body) =>
            signSandboxBody(body, off),
          );
          expect([off, answer.status, answer.body.code]).toEqual([off, 400, 'invalid_signature']);
        }
        expect(await paymentAndPlan(context, id)).toEqual(['pending', 'free']);
        for (const off of [-290, 299]) {
          const next = await startCheckout(context, 'pro');
          await deliverEvent(context, paymentEvent('succeeded', next), (body) => signSandboxBody(body, off));
          expect([off, ...(await paymentAndPlan(context, next))]).toEqual([off, 'paid', 'pro']);
        }
      },
    },
    {
      title: 'the limit of 300 seconds is exact',
      covers: ['billing.webhook.time'],
      settings: planSettings,
      controlsClock: true,
      async run(context) {
        for (const [off, status] of [
          [-301, 400],
          [-300, 200],
          [300, 200],
          [301, 400],
        ] as const) {
          const event = paymentEvent('succeeded', await startCheckout(context, 'pro'));
          // The time of day stands still here.
          const { vi } = await import('vitest');
          vi.setSystemTime(Date.UTC(2028, 0, 1, 12, 0, 0, 500));
          expect([off, (await deliverEvent(context, event, (body) => signSandboxBody(body, off))).status]).toEqual([
            off,
            status,
          ]);
        }
      },
    },
    {
      title: 'what is signed but of an unknown payment or type is taken, and changes nothing',
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
      title: 'unknown fields of an event are ignored',
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
      title: 'no body of an event is a defect, and one over 64 KiB is 413',
      covers: ['billing.webhook.limit', 'limits.json', 'problem.payload_too_large.stream', 'conv.bodies.type'],
      async run(context) {
        const codeOf = (body: string, headers = {}): Promise<unknown> => {
          const options = sandboxRequest(body);
          return context.outcome('POST', 'billing/webhook/sandbox', {
            ...options,
            headers: { ...options.headers, ...headers },
          });
        };
        const event = JSON.stringify(paymentEvent('succeeded', 900_000_000));
        expect(await codeOf(event.padEnd(65_536))).toBe(200);
        expect(await codeOf(event.padEnd(65_537))).toBe('payload_too_large');
        expect(await codeOf(event, { 'content-type': 'text/plain' })).toBe('unsupported_media_type');
        for (const [body, code] of [
          ['', 'malformed_json'],
          ['{', 'malformed_json'],
          ['null', 'validation_failed'],
          ['[]', 'validation_failed'],
          ['{}', 'validation_failed'],
          ['{"id":5,"type":"payment.succeeded","payment_id":1}', 'validation_failed'],
          [`{"id":"evt","type":"x","deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`, 200],
        ] as const)
          expect([body.slice(0, 40), await codeOf(body)]).toEqual([body.slice(0, 40), code]);
      },
    },
    {
      title: 'the page of the sandbox pays and fails by its buttons, and needs no script',
      covers: ['billing.sandbox.page'],
      settings: planSettings,
      needsOwnServer: true,
      async run(context) {
        const { payment_id: id, checkout_url } = await context.send(201, 'POST', 'billing/checkout', {
          body: { plan: 'pro' },
        });
        const { pathname } = new URL(checkout_url);
        const look = async (): Promise<string> => (await context.call('GET', pathname, { token: null })).text;
        const press = async (index: number): Promise<void> => {
          const actions = Array.from((await look()).matchAll(/<form[^>]* action="([^"]+)"/g), ([, action]) => action);
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
      title: 'what was answered is so after a restart, and numbers of payments are not used again',
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
    {
      title: 'the operator has the last word, and a backup holds what was paid',
      covers: ['billing.paid.holds', 'billing.paid.kept', 'program.plan', 'program.backup'],
      targets: ['program'],
      timeoutMs: 60_000,
      async run() {
        const folder = await mkdtemp(join(tmpdir(), 'service-contract-'));
        const env = {
          XDG_RUNTIME_DIR: folder,
          SERVICE_ADMIN_TOKEN: adminToken,
          SERVICE_SANDBOX_SECRET: sandboxSecret,
          SERVICE_PLAN: planSettings.plan,
          SERVICE_PLANS: JSON.stringify(planSettings.plans),
        };
        const [here, elsewhere] = ['here', 'elsewhere'].map((name) => `file:${join(folder, name)}`) as [string, string];
        const file = join(folder, 'all.backup');
        const request = async (url: string, method: string, path: string, more = {}): Promise<Response> =>
          fetch(buildRequest(url, method, path, { token: adminToken, ...more }));
        const seen = async (url: string): Promise<unknown[]> =>
          Promise.all(
            ['billing/payments/1', 'billing/payments/2', 'auth/me'].map(async (path) =>
              (await request(url, 'GET', path)).json(),
            ),
          );
        try {
          const event = paymentEvent('succeeded', 1);
          const before = await runProgram(['--port', '0', '--storage', here], env, async ({ output }) => {
            const url = await listeningUrl(output);
            for (const plan of ['pro', 'large'])
              expect((await request(url, 'POST', 'billing/checkout', { body: { plan } })).status).toBe(201);
            const webhook = (sent: object): Promise<Response> =>
              request(url, 'POST', 'billing/webhook/sandbox', sandboxRequest(sent));
            expect((await webhook(event)).status).toBe(200);
            expect((await seen(url))[2]).toMatchObject({ team: { plan: 'pro' } });
            const set = await runCommand(['plan', '1', 'free', '--storage', here], env);
            expect(set).toMatchObject({ code: 0 });
            expect((await webhook(event)).status).toBe(200);
            expect((await webhook({ ...event, id: 'evt_another' })).status).toBe(200);
            const now = await seen(url);
            expect(now).toMatchObject([{ status: 'paid' }, { status: 'pending' }, { team: { plan: 'free' } }]);
            expect(await runCommand(['backup', file, '--storage', here], env)).toMatchObject({ code: 0 });
            expect(output()).not.toContain(sandboxSecret);
            return now;
          });
          expect(await runCommand(['restore', file, '--storage', elsewhere], env)).toMatchObject({ code: 0 });
          await runProgram(['--port', '0', '--storage', elsewhere], env, async ({ output }) => {
            const url = await listeningUrl(output);
            expect(await seen(url)).toEqual(before);
            // What came before the backup came already.
            await request(url, 'POST', 'billing/webhook/sandbox', sandboxRequest({ ...event, payment_id: 2 }));
            expect(await seen(url)).toEqual(before);
          });
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      },
    },
  ],
};
