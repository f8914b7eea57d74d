import * as z from 'zod';

/** Returns the schema of one page of a list: see `Page`. */
export function pageSchema<Item extends z.ZodType>(item: Item) {
  return z.object({
    items: z.array(item),
    /** Number of items on all pages. */
    total: z.int().min(0),
    page: z.int().min(1),
    size: z.int().min(1),
    pages: z.int().min(0),
  });
}

export function pageExample(...items: unknown[]): unknown {
  return { items, total: items.length, page: 1, size: 50, pages: 1 };
}
