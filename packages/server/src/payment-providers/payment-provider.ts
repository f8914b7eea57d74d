import { ProblemError } from '../problem.ts';
import type { Plan } from '@service/protocol';

/** Takes money for plans, and tells by signed events what has become of a payment. */
export interface PaymentProvider {
  /** As it stands in paths and requests. */
  readonly name: string;
  /** Opens the page on which a payment is made. Rejects with whatever went wrong with the provider. */
  openCheckout(order: Order): Promise<OpenedCheckout>;
  /**
   * Reads an event, its signature first. Throws `invalid_signature`, then `malformed_json` and `validation_failed`; nothing
   * of that tells of the secret. `now`: milliseconds.
   */
  readEvent(sent: SentEvent, now: number): PaymentEvent;
}

/** What is to be paid. */
export interface Order {
  paymentId: number;
  plan: Plan;
  /** Where browsers reach this server. */
  baseUrl: string;
}

export interface OpenedCheckout {
  /** What the provider calls it. */
  id: string;
  url: string;
}

/** An event as it came. */
export interface SentEvent {
  bytes: Buffer;
  /** The value of a header, by its name in lower case. */
  header(name: string): string | null;
}

/** An event that its provider has signed. */
export interface PaymentEvent {
  /** The provider's, never used twice. */
  id: string;
  type: string;
  /** What has become of a payment; null: it tells of none. */
  outcome: PaymentOutcome | null;
}

export interface PaymentOutcome {
  /** 0: what it names can be the id of no payment. */
  paymentId: number;
  /** Which checkout of the provider it was; null: the event does not say. */
  checkoutId: string | null;
  status: 'paid' | 'failed';
  /** Milliseconds, by the clock of the provider; null: it does not say. */
  at: number | null;
  /** How long ago that was when it was sent, by the same clock; null: it does not say. */
  ageMs: number | null;
}

/** A signed time that is further away is of an event that somebody has kept. */
export const toleranceSeconds = 300;

/** Throws `invalid_signature` for a time (seconds since 1970) that is too old or too far ahead, or that is none. */
export function assertTimely(seconds: number, now: number): void {
  if (!(Math.abs(Math.floor(now / 1_000) - seconds) <= toleranceSeconds))
    throw new ProblemError(
      'invalid_signature',
      `The time of the signature is more than ${toleranceSeconds} seconds off, or missing.`,
    );
}

export function invalidSignature(): ProblemError {
  return new ProblemError('invalid_signature', 'The signature is missing, or does not fit the body.');
}
