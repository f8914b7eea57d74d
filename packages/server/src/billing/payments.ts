import { limits, type Checkout, type CheckoutInput, type Payment, type Plan } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { isSameSecret } from '../credentials/secret.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { PaymentRecord } from '../store/records/records.ts';
import { validationFailed } from '../validation/validation.ts';
import type { OpenedCheckout, PaymentProvider } from '../payment-providers/payment-provider.ts';
import { findProvider } from '../payment-providers/payment-providers.ts';

/** Begins to pay for a plan. Throws `validation_failed`, `provider_not_found`, `conflict`, and `overloaded` if the provider does not do its part. */
export async function checkOut(services: Services, caller: Caller, input: CheckoutInput): Promise<Checkout> {
  const plan = services.plans.find(input.plan);
  if (!plan) throw validationFailed([{ path: 'plan', detail: 'expected the id of one of the plans' }]);
  const provider = findProvider(services.payments, input.provider);
  // Before the provider is asked: it is told the number of the payment.
  const { id } = await commitAsCaller(services, caller, (transaction) =>
    begin(transaction, caller.teamId, plan, provider),
  );
  const checkout = await openCheckout(services, provider, id, plan);
  await services.store.commit((transaction) =>
    transaction.put('payments', { ...existing(transaction, id), checkout_id: checkout.id }),
  );
  return { payment_id: id, checkout_url: checkout.url };
}

/** Throws `payment_not_found`, for another team's as for one that never was. */
export function findPayment({ store }: Services, { teamId }: Caller, id: number): PaymentRecord {
  const payment = store.model.tables.payments.get(id);
  if (payment?.team_id !== teamId) throw paymentNotFound();
  return payment;
}

/** By its number and what the provider calls its checkout, which nobody guesses. Throws `payment_not_found`. */
export function findOpenPayment({ store }: Services, provider: string, id: number, checkoutId: string): PaymentRecord {
  const payment = store.model.tables.payments.get(id);
  if (payment?.provider !== provider || payment.checkout_id === null || !isSameSecret(checkoutId, payment.checkout_id))
    throw paymentNotFound();
  return payment;
}

export function toPayment({ id, plan, status, created_at, paid_at }: PaymentRecord): Payment {
  return { payment_id: id, plan, status, created_at, paid_at };
}

function paymentNotFound(): ProblemError {
  return new ProblemError('payment_not_found', 'There is no payment with this number in the team.');
}

function begin(
  transaction: Transaction,
  teamId: number,
  { id: plan, price, currency }: Plan,
  { name }: PaymentProvider,
) {
  assertRoom(transaction, teamId);
  const payment: PaymentRecord = {
    id: transaction.nextId('payments'),
    team_id: teamId,
    plan,
    price,
    currency,
    provider: name,
    checkout_id: null,
    status: 'pending',
    created_at: new Date(transaction.now).toISOString(),
    paid_at: null,
  };
  transaction.put('payments', payment);
  return payment;
}

/** If nobody can pay it, the payment has failed. */
async function openCheckout(
  { store, baseUrl, log }: Services,
  provider: PaymentProvider,
  paymentId: number,
  plan: Plan,
): Promise<OpenedCheckout> {
  try {
    return await provider.openCheckout({ paymentId, plan, baseUrl });
  } catch (cause) {
    log.error({ err: cause, provider: provider.name, payment_id: paymentId }, 'a checkout could not be opened');
    await store.commit((transaction) =>
      transaction.put('payments', { ...existing(transaction, paymentId), status: 'failed' }),
    );
    throw new ProblemError('overloaded', 'The payment provider does not do its part at the moment. Try again later.', {
      retryAfterSeconds: 30,
      cause,
    });
  }
}

function assertRoom(transaction: Transaction, teamId: number): void {
  let pending = 0;
  for (const payment of transaction.rows('payments'))
    if (payment.team_id === teamId && payment.status === 'pending') pending++;
  if (pending >= limits.pendingPayments)
    throw new ProblemError('conflict', `The team has ${pending} payments that are pending. Make one of them.`);
}

/** As it is now: an event may have been quicker. Payments are never removed. */
function existing(transaction: Transaction, id: number): PaymentRecord {
  const payment = transaction.get('payments', id);
  if (!payment) throw paymentNotFound();
  return payment;
}
