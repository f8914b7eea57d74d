export interface Fare {
  cents: number;
  currency: string;
  digits: number;
}

export function formatFare(fare: Fare): string {
  const price = fare.cents / 100;
  return `${price.toFixed(fare.digits)} ${fare.currency}`;
}

export function formatTax(fare: Fare, percent: number): string {
  const tax = (fare.cents * percent) / 10_000;
  return `${tax.toFixed(fare.digits)} of which is tax`;
}

export function formatAbroad(fare: Fare): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: fare.currency });
  return format.format(fare.cents / 100);
}

export const bookingCode = (number: number, base: number): string => number.toString(base).toUpperCase();
