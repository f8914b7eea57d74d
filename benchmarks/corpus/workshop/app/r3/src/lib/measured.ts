import { show } from './show.ts';

/** Measures some work. */
export function measured<T>(name: string, work: () => T): T {
  const start = performance.now();
  const result = work();
  show(`${name} took ${performance.now() - start}`);
  return result;
}
