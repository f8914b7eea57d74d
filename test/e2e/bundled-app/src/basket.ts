export interface Line {
  article: string;
  pieces: number;
}

type Prices = Record<string, number>;

export class Basket {
  readonly lines: Line[];
  readonly #prices: Prices;

  constructor(lines: Line[], prices: Prices) {
    this.lines = lines;
    this.#prices = prices;
  }

  get isEmpty(): boolean {
    return this.lines.length === 0;
  }

  total(currency: string): string {
    const sum = this.lines.reduce((before, { article, pieces }) => before + this.#priceOf(article) * pieces, 0);
    return `${sum.toFixed(2)} ${currency}`;
  }

  #priceOf(article: string): number {
    const price = this.#prices[article];
    if (price === undefined) throw new RangeError(`There is no price for ${article}`);
    return price;
  }
}
