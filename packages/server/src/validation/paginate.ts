import type { Page, PageQuery } from '@service/protocol';

/** Returns the requested page of a list that is in memory. */
export function paginate<Row, Item>(
  rows: readonly Row[],
  { page, size }: PageQuery,
  toItem: (row: Row) => Item,
): Page<Item> {
  return {
    items: rows.slice((page - 1) * size, page * size).map(toItem),
    total: rows.length,
    page,
    size,
    pages: Math.ceil(rows.length / size),
  };
}
