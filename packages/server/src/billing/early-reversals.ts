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
export function keepEarlyReversal(transaction: Transaction, early: EarlyReversal): boolean {
  const kept = keptReversals(transaction);
  if (kept.some(({ provider, eventId }) => provider === early.provider && eventId === early.eventId)) return false;
  save(transaction, [...kept, early].slice(-maxEarlyReversals));
  return true;
}

/** Removes the early reversals of a transfer and returns them, oldest first. */
export function takeEarlyReversals(transaction: Transaction, provider: string, transferId: string): EarlyReversal[] {
  const kept = keptReversals(transaction);
  const isOfTransfer = (early: EarlyReversal): boolean =>
    early.provider === provider && early.transferId === transferId;
  const taken = kept.filter(isOfTransfer);
  if (taken.length > 0)
    save(
      transaction,
      kept.filter((early) => !isOfTransfer(early)),
    );
  return taken;
}

function keptReversals(transaction: Transaction): EarlyReversal[] {
  return JSON.parse(transaction.get('settings', reversalsSetting)?.value ?? '[]') as EarlyReversal[];
}

function save(transaction: Transaction, reversals: readonly EarlyReversal[]): void {
  transaction.put('settings', { id: reversalsSetting, value: JSON.stringify(reversals) });
}
