import { init } from '@service/browser';

/** Runs on the server, where the SDK must do nothing. */
export function register() {
  const { fetch } = globalThis;
  const { log } = console;
  init({ apiKey: 'pk_field', endpoint: 'http://127.0.0.1:9' });
  if (globalThis.fetch !== fetch || console.log !== log) throw new Error('The SDK has changed the server.');
}
