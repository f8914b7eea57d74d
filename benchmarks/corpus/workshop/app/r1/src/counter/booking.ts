import * as v from 'valibot';
import { array, assert, number, object, string } from 'superstruct';
import type { Action } from '../lib/action.ts';
import { fail } from '../lib/i18n.ts';
import { put } from '../lib/http.ts';
import { show } from '../lib/show.ts';
import { amount, id, mail, word } from '../lib/values.ts';

const Order = v.object({
  phone: v.string(),
  mail: v.pipe(v.string(), v.email()),
  bike: v.object({ wheels: v.number() }),
});

export function readOrder(input: unknown): void {
  show(v.parse(Order, input).mail);
}

const Bike = object({ name: string(), gears: array(object({ teeth: number() })) });

export function readBike(input: unknown): void {
  assert(input, Bike);
  show(input.name);
}

export function bookSlot(hour: number, taken: boolean): void {
  if (taken) fail('slot.taken', { hour });
  if (hour > 0) fail('slot.closed', { hour });
}

export async function saveOrder(): Promise<void> {
  show(await put(`/api/status/409/orders/${id()}`, {}));
}

export async function saveBike(): Promise<void> {
  show(await put(`/api/status/503/bikes/${id()}`, {}));
}

const order = () => ({ phone: word(), mail: mail(), bike: { wheels: 2 } });

export const booking: Action[] = [
  ['order-phone', () => readOrder({ ...order(), phone: amount() })],
  ['order-mail', () => readOrder({ ...order(), mail: word() })],
  ['order-wheels', () => readOrder({ ...order(), bike: { wheels: word() } })],
  ['bike-name', () => readBike({ name: amount(), gears: [] })],
  ['bike-teeth', () => readBike({ name: word(), gears: [{ teeth: 11 }, { teeth: word() }] })],
  ['slot-taken', () => bookSlot(amount(), true)],
  ['slot-closed', () => bookSlot(amount(), false)],
  ['order-conflict', () => saveOrder()],
  ['bike-down', () => saveBike()],
];
