import { captureMessage } from '@service/browser';

/** Nothing broke, but someone should know. */
export function askForHelp(): void {
  captureMessage('A customer could not find the figs', { level: 'warning' });
}
