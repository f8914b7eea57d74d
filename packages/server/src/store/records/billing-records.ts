import type { Payment } from '@service/protocol';

/** A payment of a team for a plan: pending, paid or failed. */
export interface PaymentRecord {
  /** The API calls it `payment_id`. */
  id: number;
  team_id: number;
  /** Id of the plan. */
  plan: string;
  /** The price of the plan when the checkout began. */
  price: number;
  currency: string;
  /** Name of the payment provider. */
  provider: string;
  /** The provider's id of the checkout. Null: it has not opened one (yet). */
  checkout_id: string | null;
  status: Payment['status'];
  created_at: string;
  /** By the clock of the payment provider. */
  paid_at: string | null;
  /** The provider's id of the money transfer, which later refunds and disputes name. Absent: unknown. */
  transfer_id?: string;
  refund?: Payment['refund'];
  dispute?: Payment['dispute'];
}

/** A processed event of a payment provider. It makes repeated deliveries of the event idempotent. */
export interface PaymentEventRecord {
  /** Name of the provider and its id of the event, separated by a space. */
  id: string;
  payment_id: number;
  at: string;
}
