import './start-sdk.ts';
import { checkout } from './checkout.ts';
import { cityOfCustomer } from './customer.ts';
import { planDelivery } from './delivery.ts';
import { askForHelp } from './feedback.ts';
import { closeShop } from './legacy.ts';
import { saveOrder } from './order.ts';
import { pay } from './payment.ts';
import { noteSilence } from './report-log.ts';
import { loadStock } from './stock.ts';
import { applyVoucher } from './voucher.ts';

/** The action of each button, by its id. */
const actions: Record<string, () => unknown> = {
  checkout,
  customer: cityOfCustomer,
  payment: pay,
  stock: loadStock,
  delivery: planDelivery,
  order: saveOrder,
  legacy: closeShop,
  voucher: () => applyVoucher('SAVE-lots'),
  feedback: askForHelp,
};

for (const button of document.querySelectorAll('button')) {
  // A separate listener: a wrapper around the action would be in every stack.
  button.addEventListener('click', noteSilence);
  const run = actions[button.id];
  if (run) button.addEventListener('click', () => run());
}
