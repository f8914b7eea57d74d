import { ProblemError } from '../problem.ts';
import { truncate } from '../text/truncate.ts';
import { printable } from '../text/printable.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { PaymentRecord, TeamRecord } from '../store/records/records.ts';
import type {
  PaymentEvent,
  PaymentOutcome,
  PaymentProvider,
  SentEvent,
} from '../payment-providers/payment-provider.ts';

/** What became of an event, in words of the log. */
type Effect =
  | 'the payment is made and the team has its plan'
  | 'the payment is made; the team keeps the plan that it has paid later'
  | 'the payment is made; the team keeps the plan that the operator has set since'
  | 'the payment has failed'
  | 'nothing: it came already'
  | 'nothing: the payment is settled'
  | 'nothing: no such payment'
  | 'nothing: it tells of no payment';

/** Reads a signed event. Throws `invalid_signature`, `malformed_json` or `validation_failed`. */
export function readPaymentEvent(services: Services, provider: PaymentProvider, sent: SentEvent): PaymentEvent {
  try {
    return provider.readEvent(sent, services.now());
  } catch (error) {
    if (error instanceof ProblemError && error.code === 'invalid_signature') tellOnce(services, provider, error);
    throw error;
  }
}

/**
 * Takes in what an event tells. Resolves once that is durable, also where another one, still on its way to the storage,
 * has said the same before.
 */
export async function settlePayment(
  { store, log }: Services,
  { name }: PaymentProvider,
  event: PaymentEvent,
): Promise<void> {
  const { outcome } = event;
  const effect: Effect = outcome
    ? await store.commit((transaction) => settle(transaction, name, event.id, outcome))
    : 'nothing: it tells of no payment';
  log.info(
    {
      provider: name,
      event: told(event.id),
      type: told(event.type),
      ...(outcome && { payment_id: outcome.paymentId }),
      effect,
    },
    'a payment event',
  );
}

/**
 * Paid is for good; what failed may still be paid. The payment and the plan of its team change in one decision, so that
 * no crash comes between them.
 */
function settle(
  transaction: Transaction,
  provider: string,
  eventId: string,
  { paymentId, checkoutId, status, at, ageMs }: PaymentOutcome,
): Effect {
  const payment = transaction.get('payments', paymentId);
  // Servers that share an account with the provider hear of each other's payments, and count alike.
  if (!payment || payment.provider !== provider || (checkoutId ?? payment.checkout_id) !== payment.checkout_id)
    return 'nothing: no such payment';
  const id = `${provider} ${eventId}`;
  if (transaction.get('payment_events', id)) return 'nothing: it came already';
  if (payment.status === 'paid' || payment.status === status) return 'nothing: the payment is settled';
  const now = new Date(transaction.now).toISOString();
  transaction.put('payment_events', { id, payment_id: payment.id, at: now });
  if (status === 'failed') {
    transaction.put('payments', { ...payment, status });
    return 'the payment has failed';
  }
  const paid: PaymentRecord = { ...payment, status, paid_at: at === null ? now : new Date(at).toISOString() };
  const isLast = at === null || !isPaidLater(transaction, paid);
  transaction.put('payments', paid);
  if (!isLast) return 'the payment is made; the team keeps the plan that it has paid later';
  const team = transaction.get('teams', payment.team_id);
  if (team && isSetSince(transaction, team, ageMs))
    return 'the payment is made; the team keeps the plan that the operator has set since';
  if (team) transaction.put('teams', { ...team, plan: payment.plan });
  return 'the payment is made and the team has its plan';
}

/** Whether the team has paid for another plan after this one: then the event of this one was long on its way. */
function isPaidLater(transaction: Transaction, { id, team_id, provider, paid_at }: PaymentRecord): boolean {
  for (const other of transaction.rows('payments')) {
    // Only the clock of one provider says what was first.
    const isComparable = other.team_id === team_id && other.provider === provider && other.id !== id;
    if (isComparable && other.paid_at !== null && paid_at !== null && other.paid_at > paid_at) return true;
  }
  return false;
}

/** Providers tell whole seconds. What was paid in the same one counts. */
const certainMs = 1_000;

/** Whether the operator has given the team a plan after this was paid. By age, for the clock of the provider may be another. */
function isSetSince({ now }: Transaction, { plan_set_at }: TeamRecord, ageMs: number | null): boolean {
  return ageMs !== null && plan_set_at !== undefined && now - ageMs + certainMs <= plan_set_at;
}

const toldChars = 100;

function told(text: string): string {
  return printable(truncate(text, toldChars));
}

/** Anybody may send a forgery, so that each were told could fill a disk; that none comes through is worth a line. */
const toldProviders = new WeakSet<PaymentProvider>();

function tellOnce({ log }: Services, provider: PaymentProvider, problem: ProblemError): void {
  if (toldProviders.has(provider)) return;
  toldProviders.add(provider);
  log.warn(
    { provider: provider.name },
    `an event was refused: ${problem.message} Is its secret the one that the provider has, and is the clock right? More of these are not told`,
  );
}
