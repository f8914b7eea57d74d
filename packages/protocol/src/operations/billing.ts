import * as z from 'zod';
import { Checkout, CheckoutInput, Payment, Plan, Received, SandboxEvent, Usage } from '../billing.ts';
import { PageQuery } from '../pagination.ts';
import { paths } from '../paths.ts';
import type { Operation } from './operation.ts';
import { pageExample, pageSchema } from './page-schema.ts';

export const PaymentPage = pageSchema(Payment);

const planExamples: Plan[] = [
  { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 10_000, ai_quota: 20 },
  { id: 'team', name: 'Team', price: 2_900, currency: 'EUR', error_quota: 1_000_000, ai_quota: null },
];

const usageExample: Usage = {
  plan: 'free',
  period_start: '2026-11-01T00:00:00.000Z',
  period_end: '2026-12-01T00:00:00.000Z',
  errors: { used: 10_000, quota: 10_000, refused: 42, refused_since: '2026-11-20T12:03:00.000Z' },
  ai: { used: 3, quota: 20 },
  storage: {
    state: 'ok',
    used_bytes: 8_123_456,
    project_limit_bytes: 10_737_418_240,
    largest_project: { project_id: 1, used_bytes: 7_654_321 },
    not_stored: 0,
  },
  address_limits: { reports_per_minute: 120_000, bytes_per_minute: 536_870_912 },
};

const checkoutExample: Checkout = { payment_id: 7, checkout_url: 'https://checkout.stripe.com/c/pay/cs_live_a1B2c3' };

const paymentExample: Payment = {
  payment_id: 7,
  plan: 'team',
  status: 'paid',
  created_at: '2026-11-20T12:10:00.000Z',
  paid_at: '2026-11-20T12:11:30.000Z',
};

const sandboxEventExample: SandboxEvent = { id: 'evt_1', type: 'payment.succeeded', payment_id: 7 };

export const billingOperations: Operation[] = [
  {
    id: 'listPlans',
    method: 'get',
    path: paths.plans,
    tag: 'Plans and usage',
    summary: 'List all plans',
    description: 'Returns a plain array. A quota of null means unlimited.',
    auth: 'bearer',
    responses: { 200: { description: 'All plans.', body: { schema: z.array(Plan), example: planExamples } } },
  },
  {
    id: 'getUsage',
    method: 'get',
    path: paths.usage,
    tag: 'Plans and usage',
    summary: 'Get the usage of the team in this month',
    description: 'A period is a calendar month in UTC. A change of plan does not reset the usage.',
    auth: 'bearer',
    responses: { 200: { description: 'The current period.', body: { schema: Usage, example: usageExample } } },
  },
  {
    id: 'checkOut',
    method: 'post',
    path: paths.checkout,
    tag: 'Payments',
    summary: 'Start the payment of a plan',
    description: [
      '`provider` defaults to `stripe` if it is configured, else to `sandbox`.',
      'Nothing changes until the provider confirms the payment. The team then gets the plan immediately and keeps it until it pays for another plan or the operator sets one. The usage of the month is not reset.',
    ].join('\n\n'),
    auth: 'bearer',
    role: 'owner',
    body: { type: 'application/json', schema: CheckoutInput, example: { plan: 'team' } },
    responses: {
      201: {
        description: 'The payment and the URL of its payment page.',
        body: { schema: Checkout, example: checkoutExample },
      },
    },
    problems: ['provider_not_found', 'conflict', 'overloaded'],
  },
  {
    id: 'listPayments',
    method: 'get',
    path: paths.payments,
    tag: 'Payments',
    summary: 'List the payments of the team',
    description: 'Newest first.',
    auth: 'bearer',
    query: PageQuery,
    responses: {
      200: { description: 'A page of payments.', body: { schema: PaymentPage, example: pageExample(paymentExample) } },
    },
  },
  {
    id: 'getPayment',
    method: 'get',
    path: paths.payment,
    tag: 'Payments',
    summary: 'Get a payment',
    description:
      'A failed payment can still become paid. `refund` and `dispute` are present once the provider has reported one; the plan stays until the operator changes it.',
    auth: 'bearer',
    parameters: { payment_id: { description: 'Returned by `POST /billing/checkout`.', problem: 'payment_not_found' } },
    responses: { 200: { description: 'The payment.', body: { schema: Payment, example: paymentExample } } },
  },
  {
    id: 'receivePaymentEvent',
    method: 'post',
    path: paths.paymentWebhook,
    tag: 'Payments',
    summary: 'Receive an event of a payment provider',
    description: [
      'The webhook of a payment provider. The body must be signed.',
      'Stripe sends its own event format with the header `Stripe-Signature`. The sandbox sends the body described here with the header `X-Signature: t=<unix seconds>,v1=<hex>`. The signature is the HMAC-SHA256 of the value of `t`, a dot and the raw body, with the secret of the sandbox as the key.',
      'Repeated events, events of an unknown type and events of unknown payments return 200 and have no effect. If a payment gets a paid and a failed event, paid wins regardless of the order.',
    ].join('\n\n'),
    auth: 'signature',
    parameters: {
      provider: {
        description: 'The payment provider.',
        problem: 'provider_not_found',
        values: ['stripe', 'sandbox'],
      },
    },
    body: { type: 'application/json', schema: SandboxEvent, example: sandboxEventExample },
    responses: {
      200: {
        description: 'The effects of the event are stored.',
        body: { schema: Received, example: { received: true } },
      },
    },
  },
];
