import type { PaymentReversal } from '../payment-providers/payment-provider.ts';
import type { Transaction } from '../store/log/transaction.ts';

/** A refund or a dispute that arrived before the event of its checkout, which names the transfer. */
export interface EarlyReversal extends PaymentReversal {
  provider: string;
  eventId: string;
}

/** The id of the setting that has the early reversals, oldest first, as JSON. */
const reversalsSetting = 'early_reversals';
/**
 * The maximum number of stored early reversals: the newest ones. Most are about other payments to the same account of
 * the provider, whose checkouts were not opened here and never arrive.
 */
const maxEarlyReversals = 100;

/** Stores a reversal until its checkout arrives. Returns false if its event is stored already. */
export function storeEarlyReversal(transaction: Transaction, early: EarlyReversal): boolean {
  const stored = earlyReversals(transaction);
  if (stored.some(({ provider, eventId }) => provider === early.provider && eventId === early.eventId)) return false;
  save(transaction, [...stored, early].slice(-maxEarlyReversals));
  return true;
}

/** Removes the early reversals of a transfer and returns them, oldest first. */
export function removeEarlyReversals(transaction: Transaction, provider: string, transferId: string): EarlyReversal[] {
  const stored = earlyReversals(transaction);
  const isOfTransfer = (early: EarlyReversal): boolean =>
    early.provider === provider && early.transferId === transferId;
  const removed = stored.filter(isOfTransfer);
  if (removed.length > 0)
    save(
      transaction,
      stored.filter((early) => !isOfTransfer(early)),
    );
  return removed;
}

function earlyReversals(transaction: Transaction): EarlyReversal[] {
  return JSON.parse(transaction.get('settings', reversalsSetting)?.value ?? '[]') as EarlyReversal[];
}

function save(transaction: Transaction, reversals: readonly EarlyReversal[]): void {
  transaction.put('settings', { id: reversalsSetting, value: JSON.stringify(reversals) });
}
