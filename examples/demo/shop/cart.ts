import { priceOf } from './price.ts';

export interface Line {
  article: string;
  quantity: number;
}

/** Returns the sum of the lines, in cents. */
export function total(lines: readonly Line[]): number {
  return lines.reduce((sum, { article, quantity }) => sum + priceOf(article) * quantity, 0);
}
