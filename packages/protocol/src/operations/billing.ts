import * as z from 'zod';
import { Checkout, CheckoutInput, Payment, Plan, Received, SandboxEvent, Usage } from '../billing.ts';
import { paths } from '../paths.ts';
import type { Operation } from './operation.ts';

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
};

const checkoutExample: Checkout = { payment_id: 7, checkout_url: 'https://checkout.stripe.com/c/pay/cs_live_a1B2c3' };

const paymentExample: Payment = {
  payment_id: 7,
  plan: 'team',
  status: 'paid',
  created_at: '2026-11-20T12:10:00.000Z',
  paid_at: '2026-11-20T12:11:30.000Z',
};

const eventExample: SandboxEvent = { id: 'evt_1', type: 'payment.succeeded', payment_id: 7 };

export const billingOperations: Operation[] = [
  {
    id: 'listPlans',
    method: 'get',
    path: paths.plans,
    tag: 'Plans and usage',
    summary: 'List the plans there are',
    description: 'A plain array. A quota of null is unlimited.',
    auth: 'bearer',
    answers: { 200: { description: 'All plans.', body: { schema: z.array(Plan), example: planExamples } } },
  },
  {
    id: 'getUsage',
    method: 'get',
    path: paths.usage,
    tag: 'Plans and usage',
    summary: 'Get what the team has used this month',
    description: 'A period is a calendar month in UTC. With another plan what was used stays used.',
    auth: 'bearer',
    answers: { 200: { description: 'The current period.', body: { schema: Usage, example: usageExample } } },
  },
  {
    id: 'checkOut',
    method: 'post',
    path: paths.checkout,
    tag: 'Payments',
    summary: 'Begin to pay for a plan',
    description:
      'Without a `provider` it is the one that the server is set up for, `stripe` before `sandbox`. Nothing changes until the provider says that the payment is made: then the team has the plan at once, what it has used stays used, and the plan holds until another one is paid or the operator sets one.',
    auth: 'bearer',
    role: 'owner',
    body: { type: 'application/json', schema: CheckoutInput, example: { plan: 'team' } },
    answers: {
      201: {
        description: 'The payment, and the page on which it is made.',
        body: { schema: Checkout, example: checkoutExample },
      },
    },
    problems: ['provider_not_found', 'conflict', 'overloaded'],
  },
  {
    id: 'getPayment',
    method: 'get',
    path: paths.payment,
    tag: 'Payments',
    summary: 'Get what has become of a payment',
    description: 'A payment that failed may still be paid later.',
    auth: 'bearer',
    parameters: { payment_id: { description: 'As `POST /billing/checkout` answered.', problem: 'payment_not_found' } },
    answers: { 200: { description: 'The payment.', body: { schema: Payment, example: paymentExample } } },
  },
  {
    id: 'receivePaymentEvent',
    method: 'post',
    path: paths.paymentWebhook,
    tag: 'Payments',
    summary: 'Take in a signed event of a payment provider',
    description:
      'For providers, not for people. Of Stripe the body is an event of Stripe with its header `Stripe-Signature`. Of the sandbox it is what stands here, with the header `X-Signature: t=<unix seconds>,v1=<hex>`: the HMAC-SHA256, by the secret of the sandbox, of that `t`, a dot and the very bytes of the body.\n\nAn event that came already, or that tells of a payment or in a type that nobody knows here, is answered by 200 and changes nothing. Paid wins over failed, whichever comes first.',
    auth: 'signature',
    parameters: {
      provider: {
        description: 'Who sends it.',
        problem: 'provider_not_found',
        words: ['stripe', 'sandbox'],
      },
    },
    body: { type: 'application/json', schema: SandboxEvent, example: eventExample },
    answers: {
      200: { description: 'All that it changes is stored.', body: { schema: Received, example: { received: true } } },
    },
  },
];
