import { init } from '@service/browser';
import { checkout } from './cart.ts';

const { apiKey, endpoint, worker } = (
  globalThis as unknown as { shop: { apiKey: string; endpoint: string; worker?: string } }
).shop;

init({ apiKey, endpoint });
document.querySelector('#pay')?.addEventListener('click', () => checkout({ items: [] }));
document.querySelector('#gift')?.addEventListener('click', () => void import('./gift.ts').then(({ wrap }) => wrap(0)));
document.querySelector('#count')?.addEventListener('click', () => {
  const counter =
    worker === undefined
      ? new Worker(new URL('./counter.ts', import.meta.url), { type: 'module' })
      : new Worker(worker, { type: 'module' });
  // A message that is posted before the imports of the worker are loaded may be lost.
  counter.addEventListener('message', () => counter.postMessage({ apiKey, endpoint }, []), { once: true });
});
