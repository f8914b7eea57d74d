import { captureException, captureMessage, close, flush, init, setUser } from '@service/browser';
import * as errors from '@service/browser/errors';

/** A server that renders pages imports the SDK. There, nothing must happen. */
async function main() {
  const watched = () => [globalThis.fetch, console.log, console.warn, console.error];
  const before = watched();

  init({ apiKey: 'pk_field', endpoint: 'http://127.0.0.1:9' });
  errors.init({ apiKey: 'pk_field', endpoint: 'http://127.0.0.1:9' });
  setUser({ id: 7 });
  const eventIds = [captureException(new Error('Sold out')), captureMessage('No figs')];
  const isFlushed = await flush();
  const isUnchanged = watched().every((value, index) => value === before[index]);
  console.log(JSON.stringify({ eventIds, isFlushed, isUnchanged, isClosed: await close() }));
}

void main();
