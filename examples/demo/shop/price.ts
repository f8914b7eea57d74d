const prices = new Map([
  ['bread', 320],
  ['olives', 450],
]);

/** Returns a price in cents. Throws for an article without a price. */
export function priceOf(article: string): number {
  const price = prices.get(article);
  if (price === undefined) throw new RangeError(`There is no price for ${article}`);
  return price;
}
