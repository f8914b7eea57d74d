import { captureMessage } from '@service/browser';

/** Reports a message without an error. */
export function askForHelp(): void {
  captureMessage('A customer could not find the figs', { level: 'warning' });
}
