import type { Plan } from '@service/protocol';

/** Takes payments for plans, and reports their outcome in signed events. */
export interface PaymentProvider {
  /** The name in paths and requests. */
  readonly name: string;
  /** Opens a checkout page. Rejects with the error of the provider. */
  openCheckout(order: Order): Promise<OpenedCheckout>;
  /**
   * Verifies the signature of an event, then parses it. Throws `invalid_signature`, `malformed_json` or
   * `validation_failed`, without the secret in the message. `now` is in milliseconds since 1970.
   */
  readEvent(sent: SentEvent, now: number): PaymentEvent;
}

/** The payment that a checkout asks for. */
export interface Order {
  paymentId: number;
  plan: Plan;
  /** The URL at which browsers reach this server. */
  baseUrl: string;
}

export interface OpenedCheckout {
  /** The provider's id. */
  id: string;
  url: string;
}

/** An event as received. */
export interface SentEvent {
  bytes: Buffer;
  /** Returns the value of a header by its lower-case name. */
  header(name: string): string | null;
}

/** An event with a verified signature. */
export interface PaymentEvent {
  /** The provider's id. It is unique. */
  id: string;
  type: string;
  /** The outcome of a payment, or null if the event has none. */
  outcome: PaymentOutcome | null;
  /** A refund or a dispute of an earlier payment, or null. */
  reversal: PaymentReversal | null;
}

/** Money that a customer got back, or wants back. */
export interface PaymentReversal {
  /** The provider's id of the money transfer: `PaymentOutcome.transferId`. */
  transferId: string;
  /** Milliseconds since 1970. */
  at: number;
  /** `refund`: `amount` was returned in total, in the minor unit of `currency`. */
  change: { kind: 'refund'; amount: number; currency: string } | { kind: 'dispute'; status: 'open' | 'won' | 'lost' };
}

export interface PaymentOutcome {
  /** 0 if the event does not contain a valid id. */
  paymentId: number;
  /** The provider's id of the checkout, or null if the event does not contain it. */
  checkoutId: string | null;
  /** The provider's id of the money transfer, or null if the event does not contain it. */
  transferId: string | null;
  status: 'paid' | 'failed';
  /** The time of the payment by the provider's clock, in milliseconds since 1970, or null if unknown. */
  at: number | null;
  /** The age of the payment when the event was sent, by the same clock, or null if unknown. */
  ageMs: number | null;
}
