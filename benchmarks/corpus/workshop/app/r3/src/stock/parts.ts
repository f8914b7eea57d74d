import type { Action } from '../lib/action.ts';
import { StockError } from '../lib/errors.ts';
import { strict, unwrap } from '../lib/expect.ts';
import { measured } from '../lib/measured.ts';
import { t } from '../lib/i18n.ts';
import { show } from '../lib/show.ts';
import { word } from '../lib/values.ts';

export function takePart(part: string, left: number): void {
  show(part);
  if (left === 0) throw new StockError(t('stock.gone', { part }));
  throw new StockError(t('stock.reserved', { part, name: word() }));
}

export function showHint(): void {
  show(t('hint.torque'));
}

interface Customer {
  name: string;
  bike?: { name: string };
}

export function openCustomer(all: Map<string, Customer>, name: string): void {
  const customer = unwrap(all.get(name), 'a customer');
  show(customer.name);
}

export function openBike(customer: Customer): void {
  measured('bike', () => {
    const bike = unwrap(customer.bike, 'a bike of the customer');
    show(bike.name);
  });
}

const settings = strict({ currency: 'EUR', tax: 19 });

function taxRate(): number {
  return settings.taxRate as number;
}

export function printTax(): void {
  show(`Tax ${taxRate()}`);
}

export function printFooter(): void {
  show(settings.footer);
}

export const parts: Action[] = [
  ['part-gone', () => takePart(word(), 0)],
  ['part-reserved', () => takePart(word(), 1)],
  ['hint-missing', () => showHint()],
  ['customer-missing', () => openCustomer(new Map(), word())],
  ['bike-missing', () => openBike({ name: word() })],
  ['setting-tax', () => printTax()],
  ['setting-footer', () => printFooter()],
];
