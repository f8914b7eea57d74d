import { signal } from '@preact/signals';
import { focusHeadingIfLost, focusNewHeading } from './focus-heading.ts';
import { screenOf } from './screens.ts';

/** The current address. It and the signed-in user decide everything that is shown. */
export const address = signal(new URL(location.href));

/** Path of the previous screen. */
export let previousPath = '';

const leaveListeners = new Set<() => void>();

/** Calls the listener before the page scrolls to the top of another screen. Returns a function that unsubscribes it. */
export function onLeave(listener: () => void): () => void {
  leaveListeners.add(listener);
  return () => void leaveListeners.delete(listener);
}

/** Navigates to a path of the dashboard, as a link would. An empty path removes the fragment of the current address. */
export function go(to: string, { replace = false } = {}): void {
  const next = new URL(to, location.href);
  const isOtherScreen = next.pathname !== address.value.pathname;
  if (replace) history.replaceState(null, '', next);
  else if (next.href !== location.href) history.pushState(null, '', next);
  if (isOtherScreen) {
    previousPath = address.value.pathname;
    for (const listener of leaveListeners) listener();
  }
  address.value = next;
  if (!isOtherScreen) return focusHeadingIfLost();
  scrollTo(0, 0);
  focusNewHeading();
}

/** Handles links, Back and Forward inside the dashboard, without loading a page. */
export function interceptNavigation(): void {
  addEventListener('popstate', () => {
    const isOtherScreen = location.pathname !== address.value.pathname;
    if (isOtherScreen) previousPath = address.value.pathname;
    address.value = new URL(location.href);
    (isOtherScreen ? focusNewHeading : focusHeadingIfLost)();
  });
  addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target || event.defaultPrevented || event.button !== 0) return;
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const to = new URL(link.href);
    // The browser loads other origins and other pages of this server, and scrolls to a fragment of the current page.
    if (to.origin !== location.origin || !screenOf(to.pathname) || (to.hash && to.pathname === location.pathname))
      return;
    event.preventDefault();
    go(to.href);
  });
}

/**
 * Returns the current address with other query parameters; null removes a parameter. Unless `page` is given, the new
 * list starts at its first page.
 */
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

/** Returns a query parameter of the current address, or an empty string. */
export const param = (name: string): string => address.value.searchParams.get(name) ?? '';
