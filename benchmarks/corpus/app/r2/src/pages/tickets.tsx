import type { Action } from '../lib/action.ts';
import { amount, word } from '../lib/values.ts';
import { show } from '../lib/show.ts';
import { bookingCode, formatAbroad, formatFare, formatTax } from '../format/money.ts';
import { dashes, formatDistance, formatSpeed } from '../units.ts';
import { arrivalKey, departureKey, formatCrossing, formatDay, formatHour } from '../dates.ts';

const fare = (currency: string, digits: number) => ({ cents: amount(), currency, digits });

export const tickets: Action[] = [
  ['fare-digits', () => show(formatFare(fare('EUR', 102)))],
  ['tax-digits', () => show(formatTax(fare('EUR', 101), 19))],
  ['fare-currency', () => show(formatAbroad(fare(word().slice(0, 2), 2)))],
  ['code-radix', () => show(bookingCode(amount(), 62))],
  ['speed-unit', () => show(formatSpeed(amount(), `${word()}s`))],
  ['distance-unit', () => show(formatDistance(amount(), `${word()}-miles`))],
  ['dashes-count', () => show(dashes(3 - amount()))],
  ['departure-date', () => show(departureKey({ departure: `${word()} 12th`, arrival: '2026-01-01' }))],
  ['arrival-date', () => show(arrivalKey({ departure: '2026-01-01', arrival: word() }))],
  ['day-locale', () => show(formatDay(new Date(), `${word()}_X`))],
  ['hour-locale', () => show(formatHour(new Date(), `${word()}_X`))],
  ['crossing-range', () => show(formatCrossing(Date.now(), Number.NaN))],
];
