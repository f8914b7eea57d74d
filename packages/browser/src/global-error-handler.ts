import { captureError } from './capture-error.ts';
import type { Thrown } from './error-to-report.ts';
import type { EarlyEvent } from './global-state.ts';

/** Captures an `error` event of the window, or the failure of an image, a script or a style sheet to load. */
export function globalErrorHandler(event: EarlyEvent): void {
  let thrown: unknown = event;
  // Events of resources have no message. `target` is not compared with the window: a frame or an element of the page
  // may have the name of any property of the window.
  if ((event as Partial<ErrorEvent>).message == null && event.type === 'error') {
    const target = event.target as HTMLImageElement & HTMLLinkElement;
    thrown = target.src || target.href;
    thrown &&= 'Could not load ' + (thrown as string);
  }
  if (thrown) captureError(thrown as Thrown, undefined, event.early);
}
