import { take } from '../take.ts';

/** Captures what an event tells that came by the window: of an image, a script or a style sheet, that it is missing. */
export function captureErrorEvent(event: Event): void {
  // Such an event has no words. The window is not asked, for it would look among its frames and elements.
  if ((event as ErrorEvent).message != null || event.type !== 'error') return take(event);
  const target = event.target as HTMLImageElement & HTMLLinkElement;
  const url = target.src || target.href;
  if (url) take({ eventPhase: 0, early: (event as { early?: number }).early, message: 'Could not load ' + url });
}
