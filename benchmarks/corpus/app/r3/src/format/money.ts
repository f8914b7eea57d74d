import { measured } from '../lib/measured.ts';

/** What a crossing costs, before discounts. */
export interface Fare {
  cents: number;
  currency: string;
  digits: number;
}

export function formatFare(fare: Fare): string {
  const { cents, currency, digits } = fare;
  const price = Math.round(cents) / 100;
  return [price.toFixed(digits), currency].join(' ');
}

export function formatTax(fare: Fare, percent: number): string {
  return measured('tax', () => {
    const tax = (fare.cents * percent) / 10_000;
    return `${tax.toFixed(fare.digits)} of which is tax`;
  });
}

export function formatAbroad(fare: Fare): string {
  // The sign of the currency is what travellers look for.
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: fare.currency });
  return format.format(fare.cents / 100);
}

export const bookingCode = (number: number, base: number): string => number.toString(base).toUpperCase();
