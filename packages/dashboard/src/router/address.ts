import { signal } from '@preact/signals';
import { screenOf } from './screens.ts';

/** Where the reader is. Everything that is shown follows from it. */
export const address = signal(new URL(location.href));

/** Path of the screen that was left last. */
export let previousPath = '';

/** Goes to a path of this page, as a link there would; the empty one is where one is, without its fragment. */
export function go(to: string, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  const isElsewhere = next.pathname !== address.value.pathname;
  if (replace) history.replaceState(null, '', next);
  else if (next.href !== location.href) history.pushState(null, '', next);
  if (isElsewhere) previousPath = address.value.pathname;
  address.value = next;
  if (isElsewhere) arrive();
}

/** Has the browser's own ways lead through this page: links, back and forward. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    const isElsewhere = location.pathname !== address.value.pathname;
    if (isElsewhere) previousPath = address.value.pathname;
    address.value = new URL(location.href);
    if (isElsewhere) focusHeading();
  });
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const to = new URL(link.href);
    // Other pages of this server are loaded, and so is whatever stands elsewhere; a fragment is the browser's to find.
    if (to.origin !== location.origin || !screenOf(to.pathname) || (to.hash && to.pathname === location.pathname))
      return;
    event.preventDefault();
    go(to.href);
  });
}

function arrive(): void {
  scrollTo(0, 0);
  focusHeading();
}

/**
 * Where another screen begins, so that who reads by ear or by keyboard is there, too. It may have to be loaded first. A
 * screen that has put the focus somewhere itself keeps it.
 */
function focusHeading(patience = 120): void {
  requestAnimationFrame(() => {
    if (document.activeElement?.closest('main')) return;
    const heading = document.querySelector<HTMLElement>('h1');
    if (heading) heading.focus({ preventScroll: true });
    else if (patience > 0) focusHeading(patience - 1);
  });
}

/** The address with other query parameters; null takes one away. Another list begins at its first page. */
export function withParams(changes: Record<string, string | null>): string {
  const next = new URL(address.value);
  next.hash = '';
  if (!('page' in changes)) next.searchParams.delete('page');
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === '') next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  return next.pathname + next.search;
}

export const param = (name: string): string => address.value.searchParams.get(name) ?? '';
