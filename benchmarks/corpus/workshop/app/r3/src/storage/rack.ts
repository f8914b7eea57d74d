import type { Action } from '../lib/action.ts';
import { BillError } from '../lib/errors.ts';
import { format, raise } from '../lib/format.ts';
import { show } from '../lib/show.ts';
import { amount, word } from '../lib/values.ts';

/** Frames have a number per rack. */
export function findFrame(name: string, rack: number): void {
  show(name);
  throw new Error(format('Frame %s has no number in rack %d', name, rack));
}

export function fillRack(rack: number, name: string): void {
  if (rack > 0) raise('Rack %d is full, %s has to wait', rack, name);
  show(rack);
}

export function openRack(rack: number, name: string): void {
  if (rack > 0) raise('Rack %d was locked by %s', rack, name);
  show(rack);
}

export function sendInvoice(number: number): void {
  if (number > 0) throw new BillError(`Invoice ${number} has not been finished`);
  show(number);
}

export function cancelInvoice(number: number): void {
  if (number > 0) throw new BillError(`Invoice ${number} was paid already`);
  show(number);
}

export const rack: Action[] = [
  ['frame-number', () => findFrame(word(), amount())],
  ['rack-full', () => fillRack(amount(), word())],
  ['rack-locked', () => openRack(amount(), word())],
  ['invoice-draft', () => sendInvoice(amount())],
  ['invoice-paid', () => cancelInvoice(amount())],
];
