import { captureException } from '@service/browser';

export function capture(message) {
  captureException(new Error(message));
}
