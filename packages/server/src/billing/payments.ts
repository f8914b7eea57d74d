import {
  limits,
  type Checkout,
  type CheckoutInput,
  type Page,
  type PageQuery,
  type Payment,
  type Plan,
} from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { isSameSecret } from '../credentials/secret.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { PaymentRecord } from '../store/records/billing-records.ts';
import { paginate } from '../validation/paginate.ts';
import { validationFailed } from '../validation/validation.ts';
import type { OpenedCheckout, PaymentProvider } from '../payment-providers/payment-provider.ts';
import { findProvider } from '../payment-providers/payment-providers.ts';

/**
 * Creates a payment for a plan and opens its checkout. Rejects with `validation_failed` for an unknown plan,
 * `provider_not_found`, `conflict` at the maximum of pending payments, or `overloaded` if the provider fails.
 */
export async function checkOut(services: Services, caller: Caller, input: CheckoutInput): Promise<Checkout> {
  const plan = services.plans.find(input.plan);
  if (!plan) throw validationFailed([{ path: 'plan', detail: 'expected the id of one of the plans' }]);
  const provider = findProvider(services.payments, input.provider);
  // The provider needs the id of the payment, so the payment is stored first.
  const { id } = await commitAsCaller(services, caller, (transaction) =>
    createPayment(transaction, caller.teamId, plan, provider),
  );
  const checkout = await openCheckout(services, provider, id, plan);
  await services.store.commit((transaction) =>
    transaction.put('payments', { ...currentPayment(transaction, id), checkout_id: checkout.id }),
  );
  return { payment_id: id, checkout_url: checkout.url };
}

/** Returns a payment of the caller's team. Throws `payment_not_found`, also for payments of other teams. */
export function findPayment({ store }: Services, { teamId }: Caller, id: number): PaymentRecord {
  const payment = store.model.tables.payments.get(id);
  if (payment?.team_id !== teamId) throw paymentNotFound();
  return payment;
}

/** Returns a payment by its id and its checkout id, which can't be guessed. Throws `payment_not_found`. */
export function findPaymentByCheckout(
  { store }: Services,
  provider: string,
  id: number,
  checkoutId: string,
): PaymentRecord {
  const payment = store.model.tables.payments.get(id);
  if (payment?.provider !== provider || payment.checkout_id === null || !isSameSecret(checkoutId, payment.checkout_id))
    throw paymentNotFound();
  return payment;
}

/** Returns the payments of the caller's team, newest first. */
export function listPayments({ store }: Services, { teamId }: Caller, query: PageQuery): Page<Payment> {
  const own = Array.from(store.model.tables.payments.values()).filter(({ team_id }) => team_id === teamId);
  return paginate(own.toReversed(), query, toPayment);
}

export function toPayment({ id, plan, status, created_at, paid_at, refund, dispute }: PaymentRecord): Payment {
  return { payment_id: id, plan, status, created_at, paid_at, ...(refund && { refund }), ...(dispute && { dispute }) };
}

function paymentNotFound(): ProblemError {
  return new ProblemError('payment_not_found', 'The team has no payment with this id.');
}

function createPayment(
  transaction: Transaction,
  teamId: number,
  { id: plan, price, currency }: Plan,
  { name }: PaymentProvider,
) {
  assertPendingLimit(transaction, teamId);
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

/** Opens the checkout of a payment. If the provider fails, the payment is stored as failed. */
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
      transaction.put('payments', { ...currentPayment(transaction, paymentId), status: 'failed' }),
    );
    throw new ProblemError('overloaded', 'The payment provider is not available. Try again in 30 seconds.', {
      retryAfterSeconds: 30,
      cause,
    });
  }
}

function assertPendingLimit(transaction: Transaction, teamId: number): void {
  let pending = 0;
  for (const payment of transaction.rows('payments'))
    if (payment.team_id === teamId && payment.status === 'pending') pending++;
  if (pending >= limits.pendingPayments)
    throw new ProblemError(
      'conflict',
      `The team has ${pending} pending payments, which is the maximum. Complete one of them first.`,
    );
}

/** Reads the payment again: an event may have changed it. Throws `payment_not_found` if its team was deleted. */
function currentPayment(transaction: Transaction, id: number): PaymentRecord {
  const payment = transaction.get('payments', id);
  if (!payment) throw paymentNotFound();
  return payment;
}
