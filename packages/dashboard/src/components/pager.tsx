import { useLayoutEffect } from 'preact/hooks';
import { go, param, withParams } from '../router/address.ts';

/** No list has more pages. */
const maxPage = 1e9;

/** Returns the page number in the address. */
export const currentPage = (paramName = 'page'): number =>
  Math.min(maxPage, Math.max(1, Math.trunc(Number(param(paramName))) || 1));

interface PagerProps {
  /** Undefined while it is not loaded. */
  pages: number | undefined;
  /** Name of the query parameter. */
  paramName?: string;
  /** Called before the next page opens. Returns true to stay on this page. */
  stayOnPage?(): boolean;
}

/** Links to the previous and the next page of a list. An address past the last page is replaced by that page. */
export function Pager({ pages: loadedPages, paramName = 'page', stayOnPage }: PagerProps) {
  const page = currentPage(paramName);
  const pages = Math.max(1, loadedPages ?? page);
  const isPastEnd = page > pages;
  useLayoutEffect(() => {
    if (isPastEnd) go(pagePath(paramName, pages), { replace: true });
  }, [isPastEnd]);
  if (pages === 1 && page === 1) return null;
  return (
    <nav class="pages" aria-label="Pages">
      {page > 1 && (
        <a class="button" href={pagePath(paramName, page - 1)}>
          Previous
        </a>
      )}
      <span>
        Page {page} of {pages}
      </span>
      {page < pages && (
        <a
          class="button"
          href={pagePath(paramName, page + 1)}
          onClick={(event) => stayOnPage?.() && event.preventDefault()}
        >
          Next
        </a>
      )}
    </nav>
  );
}

/** Returns the current address with another page number. */
export const pagePath = (paramName: string, page: number): string =>
  withParams({ [paramName]: page === 1 ? null : `${page}` });
