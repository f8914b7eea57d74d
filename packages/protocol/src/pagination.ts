import * as z from 'zod';
import { limits } from './limits.ts';
import { queryInteger } from './primitives.ts';

/** The pagination parameters of a list. */
export const PageQuery = z.strictObject({
  page: queryInteger.pipe(z.int().min(1)).default(1),
  size: queryInteger.pipe(z.int().min(1).max(limits.maxPageSize)).default(limits.defaultPageSize),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** One page of a list. `total` and `pages` cover all matching items. A page past the end is empty. */
export interface Page<Item> {
  items: Item[];
  total: number;
  page: number;
  size: number;
  pages: number;
}
