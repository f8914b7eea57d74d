import { priceOf } from './prices';

export interface Line {
  article: string;
  pieces: number;
}

/** Returns the price of a cart in cents, after discounts. */
export function totalOf(lines: Line[], discount = 0): number {
  const sum = lines.reduce((total, line) => {
    const price = priceOf(line.article);
    return total + price.cents * line.pieces;
  }, 0);
  return Math.round(sum * (1 - discount));
}
