import { useLayoutEffect } from 'preact/hooks';
import { go, param, withParams } from '../router/address.ts';

/** More pages than any list has. */
const maxPage = 1e9;

export const pageOf = (name = 'page'): number => Math.min(maxPage, Math.max(1, Math.trunc(Number(param(name))) || 1));

interface PagerProps {
  /** Undefined until it is known. */
  pages: number | undefined;
  /** Of its parameter in the address. */
  name?: string;
  /** Called before the next page is opened; returns whether the reader stays on this one. */
  stay?(): boolean;
}

/** Leads through the pages of a list by the address. An address past the last page leads to that one. */
export function Pager({ pages: known, name = 'page', stay }: PagerProps) {
  const page = pageOf(name);
  const pages = Math.max(1, known ?? page);
  const isPast = page > pages;
  useLayoutEffect(() => {
    if (isPast) go(pagePath(name, pages), { replace: true });
  }, [isPast]);
  if (pages === 1 && page === 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && (
        <a class="button" href={pagePath(name, page - 1)}>
          Previous
        </a>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a class="button" href={pagePath(name, page + 1)} onClick={(event) => stay?.() && event.preventDefault()}>
          Next
        </a>
      )}
    </nav>
  );
}

export const pagePath = (name: string, page: number): string => withParams({ [name]: page === 1 ? null : `${page}` });
