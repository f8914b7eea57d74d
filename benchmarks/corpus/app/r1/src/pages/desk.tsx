import type { Action } from '../lib/action.ts';
import { amount, id, mail, word } from '../lib/values.ts';
import { show } from '../lib/show.ts';
import { importBooking, loadFares, loadSeats, readBooking, readPassenger, readVoucher } from '../booking.ts';
import { cheapestBank, confirm, pay, readInvoice, readReceipt, refund } from '../payment.ts';
import { freezeSettings, label, readProfile, readSettings, searchPattern } from '../settings.ts';

export const desk: Action[] = [
  ['booking-seats', () => show(readBooking({ code: word(), seats: `${amount()}`, contact: { mail: mail() } }))],
  ['booking-mail', () => show(readBooking({ code: word(), seats: 2, contact: { mail: word() } }))],
  ['passenger-birthday', () => show(readPassenger({ code: word(), birthday: amount() }))],
  ['voucher-percent', async () => show(await readVoucher({ code: word(), percent: 100 + amount() }))],
  ['import-booking', () => show(importBooking({ code: word() }))],
  ['fares-gone', async () => show(await loadFares(id()))],
  ['seats-shape', async () => show(await loadSeats(id()))],
  ['payment-late', () => pay(20 + (amount() % 20))],
  ['refund-late', () => refund(20 + (amount() % 20))],
  ['receipt-json', () => readReceipt(`<receipt id="${id()}">`)],
  ['invoice-json', () => readInvoice(`<invoice id="${id()}">`)],
  ['banks-none', () => cheapestBank(word())],
  ['confirm-late', () => confirm(AbortSignal.timeout(15))],
  ['settings-json', () => show(readSettings(`{"theme":${word()}`))],
  ['profile-json', () => show(readProfile(`{"name":${word()}}`))],
  ['search-pattern', () => show(searchPattern(`(${word()}`))],
  ['label-symbol', () => show(label(Symbol(word())))],
  ['settings-frozen', () => freezeSettings({ theme: word() }, word())],
];
