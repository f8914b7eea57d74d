import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** The maximum bytes of both semi-spaces together. */
const maxYoungBytes = 16 * 1024 * 1024;

/**
 * Keeps the young generation of the heap near 16 MB. V8 lets it grow to 32 MB, and to 128 MB in Node 24, and under load
 * all of it is soon in use. V8 accepts no other limit at run time, but the growth factor can be changed after each
 * collection.
 */
export function limitYoungGeneration(): void {
  let mayGrow = true;
  new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const isSmall = (space?.space_size ?? 0) < maxYoungBytes;
    if (isSmall === mayGrow) return;
    mayGrow = isSmall;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  }).observe({ entryTypes: ['gc'] });
}
