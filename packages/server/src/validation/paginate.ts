import type { Page, PageQuery } from '@service/protocol';

/** The asked-for page of a list that is at hand as a whole. */
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
