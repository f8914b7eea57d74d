import type { Thrown } from './describe-error.ts';
import type { EarlyEvent } from './page.ts';
import { take } from './take.ts';

/** Takes what an event tells that came by the window: of an image, a script or a style sheet, that it is missing. */
export function takeEvent(event: EarlyEvent): void {
  let thrown: unknown = event;
  // Such an event has no words. The window is not asked, for it would look among its frames and elements.
  if ((event as Partial<ErrorEvent>).message == null && event.type === 'error') {
    const target = event.target as HTMLImageElement & HTMLLinkElement;
    thrown = target.src || target.href;
    thrown &&= 'Could not load ' + (thrown as string);
  }
  if (thrown) take(thrown as Thrown, undefined, event.early);
}
