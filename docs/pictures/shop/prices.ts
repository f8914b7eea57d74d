export interface Price {
  cents: number;
  currency: 'EUR' | 'GBP';
}

const prices = new Map<string, Price>([
  ['espresso-blend', { cents: 1290, currency: 'EUR' }],
  ['hand-grinder', { cents: 8900, currency: 'EUR' }],
]);

/** Returns the current price of an article. */
export function priceOf(article: string): Price {
  return prices.get(article)!;
}
