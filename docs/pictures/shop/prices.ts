export interface Price {
  cents: number;
  currency: 'EUR' | 'GBP';
}

const prices = new Map<string, Price>([
  ['espresso-blend', { cents: 1290, currency: 'EUR' }],
  ['hand-grinder', { cents: 8900, currency: 'EUR' }],
]);

/** What an article costs today, as the catalogue has it. */
export function priceOf(article: string): Price {
  return prices.get(article)!;
}
