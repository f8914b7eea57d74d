import { ProblemError } from '../problem.ts';
import { queuePaymentMails } from '../mails/queue-payment-mails.ts';
import { truncate } from '../text/truncate.ts';
import { printable } from '../text/printable.ts';
import { storeEarlyReversal, removeEarlyReversals } from './early-reversals.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { TeamRecord } from '../store/records/account-records.ts';
import type { PaymentRecord } from '../store/records/billing-records.ts';
import type {
  PaymentEvent,
  PaymentOutcome,
  PaymentProvider,
  PaymentReversal,
  SentEvent,
} from '../payment-providers/payment-provider.ts';

/** The effect of an event, as written to the log of the server. */
type Effect =
  | 'paid: the team has its plan'
  | 'paid: the team keeps the plan that it has paid for later'
  | 'paid: the team keeps the plan that the operator has set since'
  | 'the payment has failed'
  | 'a refund was recorded'
  | 'a dispute was recorded'
  | 'kept: the checkout of the payment has not arrived'
  | 'none: the event was received before'
  | 'none: the payment is already settled'
  | 'none: there is no such payment'
  | 'none: the event is not about a payment';

/** Reads and verifies a signed event. Throws `invalid_signature`, `malformed_json` or `validation_failed`. */
export function readPaymentEvent(services: Services, provider: PaymentProvider, sent: SentEvent): PaymentEvent {
  try {
    return provider.readEvent(sent, services.now());
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'invalid_signature') warnOnce(services, provider, error);
    throw error;
  }
}

/**
 * Applies an event to its payment. Resolves once the effect is durable, also if an earlier delivery of the same event
 * had this effect and is still being written.
 */
export async function applyPaymentEvent(
  { store, log }: Services,
  { name }: PaymentProvider,
  event: PaymentEvent,
): Promise<void> {
  const { outcome, reversal } = event;
  const effect: Effect = await store.commit((transaction) => {
    if (outcome) return settle(transaction, name, event.id, outcome);
    return reversal ? recordReversal(transaction, name, event.id, reversal) : 'none: the event is not about a payment';
  });
  log.info(
    {
      provider: name,
      event: loggable(event.id),
      type: loggable(event.type),
      ...(outcome && { payment_id: outcome.paymentId }),
      effect,
    },
    'payment event received',
  );
}

/**
 * `paid` is final; a failed payment can still be paid. The payment and the plan of its team change in one transaction,
 * so that a crash can't separate them.
 */
function settle(
  transaction: Transaction,
  provider: string,
  eventId: string,
  { paymentId, checkoutId, transferId, status, at, ageMs }: PaymentOutcome,
): Effect {
  const payment = transaction.get('payments', paymentId);
  // Servers that share a provider account receive each other's events, and each numbers its payments from 1.
  if (!payment || payment.provider !== provider || (checkoutId ?? payment.checkout_id) !== payment.checkout_id)
    return 'none: there is no such payment';
  const id = `${provider} ${eventId}`;
  if (transaction.get('payment_events', id)) return 'none: the event was received before';
  if (payment.status === 'paid' || payment.status === status) return 'none: the payment is already settled';
  const now = new Date(transaction.now).toISOString();
  transaction.put('payment_events', { id, payment_id: payment.id, at: now });
  if (status === 'failed') {
    transaction.put('payments', { ...payment, status });
    return 'the payment has failed';
  }
  const paid: PaymentRecord = {
    ...payment,
    status,
    paid_at: at === null ? now : new Date(at).toISOString(),
    ...(transferId !== null && { transfer_id: transferId }),
  };
  const isLast = at === null || !isPaidLater(transaction, paid);
  transaction.put('payments', paid);
  if (transferId !== null) recordEarlyReversals(transaction, paid, transferId);
  if (!isLast) return 'paid: the team keeps the plan that it has paid for later';
  const team = transaction.get('teams', payment.team_id);
  if (team && isSetSince(transaction, team, ageMs))
    return 'paid: the team keeps the plan that the operator has set since';
  if (team) transaction.put('teams', { ...team, plan: payment.plan });
  return 'paid: the team has its plan';
}

/** Records a refund or a dispute, or stores it for later if the checkout of its payment has not arrived. */
function recordReversal(
  transaction: Transaction,
  provider: string,
  eventId: string,
  reversal: PaymentReversal,
): Effect {
  const payment = findTransfer(transaction, provider, reversal.transferId);
  if (payment) return reverse(transaction, payment, eventId, reversal);
  const isNew = storeEarlyReversal(transaction, { ...reversal, provider, eventId });
  return isNew ? 'kept: the checkout of the payment has not arrived' : 'none: the event was received before';
}

function recordEarlyReversals(transaction: Transaction, paid: PaymentRecord, transferId: string): void {
  for (const { eventId, ...reversal } of removeEarlyReversals(transaction, paid.provider, transferId))
    reverse(transaction, transaction.get('payments', paid.id) ?? paid, eventId, reversal);
}

/**
 * Records a refund or a dispute with its payment, and informs the owners of the team. The plan stays: only the operator
 * knows whether the customer should lose it. Events may arrive in any order. So a refund that is not larger than the
 * recorded one, and an earlier state of a dispute, change nothing. A payment can be disputed again, which replaces the
 * earlier dispute.
 */
function reverse(
  transaction: Transaction,
  payment: PaymentRecord,
  eventId: string,
  { at, change }: PaymentReversal,
): Effect {
  const id = `${payment.provider} ${eventId}`;
  if (transaction.get('payment_events', id)) return 'none: the event was received before';
  const time = new Date(at).toISOString();
  if (change.kind === 'refund' && (payment.refund?.amount ?? 0) >= change.amount)
    return 'none: the payment is already settled';
  if (change.kind === 'dispute' && payment.dispute && isEarlier(change.status, time, payment.dispute))
    return 'none: the payment is already settled';
  transaction.put('payment_events', { id, payment_id: payment.id, at: new Date(transaction.now).toISOString() });
  transaction.put('payments', {
    ...payment,
    ...(change.kind === 'refund'
      ? { refund: { amount: change.amount, currency: change.currency, at: time } }
      : { dispute: { status: change.status, at: time } }),
  });
  queuePaymentMails(transaction, payment);
  return change.kind === 'refund' ? 'a refund was recorded' : 'a dispute was recorded';
}

type KnownDispute = NonNullable<PaymentRecord['dispute']>;

/** Providers send whole seconds. Within one, a dispute was opened before it was closed. */
function isEarlier(status: KnownDispute['status'], time: string, known: KnownDispute): boolean {
  return known.at > time || (known.at === time && status === 'open');
}

function findTransfer(transaction: Transaction, provider: string, transferId: string): PaymentRecord | undefined {
  for (const payment of transaction.rows('payments'))
    if (payment.provider === provider && payment.transfer_id === transferId) return payment;
  return undefined;
}

/**
 * Returns whether the team has made another payment to this provider after this one. If so, the event of this payment
 * arrived late.
 */
function isPaidLater(transaction: Transaction, { id, team_id, provider, paid_at }: PaymentRecord): boolean {
  for (const other of transaction.rows('payments')) {
    // Times of different providers can't be compared.
    const isComparable = other.team_id === team_id && other.provider === provider && other.id !== id;
    if (isComparable && other.paid_at !== null && paid_at !== null && other.paid_at > paid_at) return true;
  }
  return false;
}

/** Providers send whole seconds. A payment wins over a plan that the operator sets within the same second. */
const clockPrecisionMs = 1_000;

/**
 * Returns whether the operator has set a plan after this payment. Compares ages, because the clocks of the provider and
 * of this server may differ.
 */
function isSetSince({ now }: Transaction, { plan_set_at }: TeamRecord, ageMs: number | null): boolean {
  return ageMs !== null && plan_set_at !== undefined && now - ageMs + clockPrecisionMs <= plan_set_at;
}

const maxLoggedChars = 100;

function loggable(text: string): string {
  return printable(truncate(text, maxLoggedChars));
}

/** Anyone can send forged events, so logging each one could fill a disk. One line per provider is enough. */
const warnedProviders = new WeakSet<PaymentProvider>();

function warnOnce({ log }: Services, provider: PaymentProvider, problem: ProblemError): void {
  if (warnedProviders.has(provider)) return;
  warnedProviders.add(provider);
  log.warn(
    { provider: provider.name },
    `a payment event was rejected: ${problem.message} Compare the webhook secret with the provider's, and check the clock. Further rejections are not logged`,
  );
}
