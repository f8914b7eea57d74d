import { totalOf, type Line } from './cart';
import { deliveryDay } from './delivery';

interface Order {
  lines: Line[];
  orderedAt: string;
}

/** Handles the button at the end of the checkout. */
export function placeOrder(order: Order): { total: number; arrives: string } {
  return { total: totalOf(order.lines), arrives: deliveryDay(order.orderedAt) };
}

/** Throws if the payment provider declined the payment. */
export function assertPaid(answer: { status: string; reason?: string }): void {
  if (answer.status !== 'paid') {
    throw new Error(`The card was declined: ${answer.reason}`);
  }
}
