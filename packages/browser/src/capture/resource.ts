import { listen } from '../listen.ts';
import type { Page } from '../page.ts';
import type { Undo } from '../undo.ts';

/** Captures images, scripts and style sheets that could not be loaded. */
export function captureResource(window: Page, capture: (text: string) => void): Undo {
  return listen(window, 'error', ({ target }) => {
    const { localName, src, href } = target as HTMLImageElement & HTMLLinkElement;
    if (/^(img|script|link)$/.test(localName)) capture(`Could not load ${localName}: ${src || href}`);
  });
}
