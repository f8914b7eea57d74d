/** Focuses the heading of the screen. Returns whether there is one. */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('h1');
  heading?.focus({ preventScroll: true });
  return heading !== null;
}

/**
 * Focuses the heading if nothing has the focus in the next frame. The list, for example, removes the headings to sort
 * by and the links to other pages while it loads.
 */
export function focusHeadingIfLost(): void {
  requestAnimationFrame(() => document.activeElement === document.body && focusHeading());
}

/**
 * Focuses the heading of a new screen, so that screen readers and the Tab key start there. Waits up to 120 frames for a
 * screen that has to load first. A screen that has already set the focus keeps it.
 */
export function focusNewHeading(framesLeft = 120): void {
  requestAnimationFrame(() => {
    if (document.activeElement?.closest('main') || focusHeading()) return;
    if (framesLeft > 0) focusNewHeading(framesLeft - 1);
  });
}
