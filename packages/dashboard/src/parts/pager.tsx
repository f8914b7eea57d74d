import { param, withParams } from '../router/address.ts';

export const pageOf = (name = 'page'): number => Math.max(1, Math.trunc(Number(param(name))) || 1);

/** Leads through the pages of a list by the address; `name` is that of its parameter. */
export function Pager({ pages, name = 'page' }: { pages: number; name?: string }) {
  const page = pageOf(name);
  if (pages <= 1 && page === 1) return null;
  const link = (to: number, title: string) => (
    <a class="button" href={withParams({ [name]: to === 1 ? null : `${to}` })}>
      {title}
    </a>
  );
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && link(page - 1, 'Previous')}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && link(page + 1, 'Next')}
    </nav>
  );
}
