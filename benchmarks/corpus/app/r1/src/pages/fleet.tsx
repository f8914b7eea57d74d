import type { Action } from '../lib/action.ts';
import { amount, word } from '../lib/values.ts';
import { must } from '../lib/must.ts';
import { show } from '../lib/show.ts';
import { Berth } from '../berth.ts';
import { Deck, guardLayout, placeCars } from '../deck.ts';
import { takeLanes, takeSeats } from '../capacity.ts';
import { checkIn } from '../check-in.ts';
import { listCrew } from '../crew.ts';
import { listGates } from '../gate.ts';

/** What came over the network looks like one. */
const like = <T,>(value: object): T => value as T;

function pickPort(ports: Map<string, string>): string {
  return must(ports.get(word()), 'a port');
}

function pickCabin(cabins: Map<string, string>): string {
  const cabin = cabins.get(word());
  return must(cabin, 'a cabin');
}

export const fleet: Action[] = [
  ['berth-compare', () => show(Berth.compare(new Berth(4), like<Berth>({ cabins: amount() })))],
  ['deck-compare', () => show(Deck.compare(new Deck(4), like<Deck>({ cabins: amount() })))],
  ['berth-rename', () => new Berth(2).rename(like<Berth>({ owner: word() }), word())],
  ['berth-sign', () => new Berth(2).sign(like<Berth>({ owner: word() }))],
  ['berth-close', () => new Berth(2).closeTogether([new Berth(1), like<Berth>({})])],
  [
    'berth-detached',
    () => {
      const { reserve } = new Berth(8);
      show(reserve(amount()));
    },
  ],
  ['layout-lane', () => placeCars(guardLayout({ left: 0, right: 0 }), word(), amount())],
  ['seats-capacity', () => show(takeSeats(3, amount()))],
  ['lanes-capacity', () => show(takeLanes(2, amount()))],
  ['check-in-passport', () => show(checkIn({ name: word() }, { code: word(), free: 4 }))],
  ['check-in-full', () => show(checkIn({ name: word(), passport: 'X' }, { code: word(), free: 0 }))],
  ['crew-name', () => show(listCrew([{ captain: { name: word() } }, {}]))],
  ['gate-name', () => show(listGates([{ port: { name: word() } }, {}]))],
  ['port-missing', () => show(pickPort(new Map()))],
  ['cabin-missing', () => show(pickCabin(new Map()))],
];
