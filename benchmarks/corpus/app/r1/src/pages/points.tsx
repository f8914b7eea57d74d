import type { Action } from '../lib/action.ts';
import { amount, word } from '../lib/values.ts';
import { show } from '../lib/show.ts';
import { addPoints, bestBalance, parsePoints, pointsFor, pointsPerTrip, saveLedger } from '../ledger.ts';
import { exportRows } from '../exporter.ts';

const account = () => ({ points: BigInt(amount()), trips: 0 });

export const points: Action[] = [
  ['points-mix', () => addPoints(account(), amount())],
  ['points-parse', () => show(parsePoints(`${amount()} ${word()}`))],
  ['points-fraction', () => show(pointsFor(amount() * 100 + 50))],
  ['points-zero', () => show(pointsPerTrip(account()))],
  ['points-max', () => show(bestBalance([account(), account()]))],
  ['ledger-json', () => saveLedger(account())],
  ['export-json', () => show(exportRows([{ name: word(), balance: 7n }]).size)],
];
