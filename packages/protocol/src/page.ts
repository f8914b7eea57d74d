import * as z from 'zod';
import { limits } from './limits.ts';

/** A whole number in a query string. */
const queryInteger = z
  .string()
  .regex(/^\d{1,15}$/, 'expected a whole number')
  .transform(Number);

/** An id in a query string. */
export const QueryId = queryInteger.pipe(z.int().min(1));

/** Which page of a list is asked for. */
export const PageQuery = z.strictObject({
  page: queryInteger.pipe(z.int().min(1)).default(1),
  size: queryInteger.pipe(z.int().min(1).max(limits.pageSize)).default(limits.defaultPageSize),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** One page of a list. `total` and `pages` are of all that matched; a page past the end is empty. */
export interface Page<Item> {
  items: Item[];
  total: number;
  page: number;
  size: number;
  pages: number;
}
