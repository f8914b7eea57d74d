import type { Action } from '../lib/action.ts';
import { show } from '../lib/show.ts';
import { id, word } from '../lib/values.ts';

type Order = { customer?: { street: string }; lines?: { price: number }[] };
type Command = (order: Order) => void;

const commands = new Map<string, Command>();

commands.set('print', (order) => {
  show(order.customer!.street);
});

commands.set('mail', (order) => {
  show(`To ${order.customer!.street}`);
});

commands.set('sum', (order) => {
  const prices = order.lines!.map(({ price }) => price);
  show(prices.length);
});

export function planDrain(queue: { jobs?: string[] }): void {
  setTimeout(() => {
    show(queue.jobs!.length);
  }, 2);
}

export function planFlush(queue: { jobs?: string[] }): void {
  void Promise.resolve(queue).then((later) => {
    show(later.jobs!.length);
  });
}

const watchers = new Set<(tires: { front?: { psi: number } }) => void>();

export function watchTires(): void {
  watchers.add((tires) => {
    show(tires.front!.psi);
  });
}

watchTires();

export const desk: Action[] = [
  ['print-street', () => commands.get('print')!({ lines: [] })],
  ['mail-street', () => commands.get('mail')!({ lines: [] })],
  ['sum-lines', () => commands.get('sum')!({})],
  ['queue-drain', () => planDrain({})],
  ['queue-flush', () => planFlush({})],
  ['tires-psi', () => watchers.forEach((watch) => watch({}))],
  ['slot-lost', () => void Promise.reject({ code: 'SLOT_TAKEN', slot: id() })],
  ['key-lost', () => void Promise.reject({ code: 'KEY_LOST', slot: id() })],
  ['note-string', () => void Promise.reject(`the note of ${word()}`)],
];
