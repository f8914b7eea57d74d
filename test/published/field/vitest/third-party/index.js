import { captureException } from '@service/browser';

export function report(message) {
  return captureException(new Error(message));
}
