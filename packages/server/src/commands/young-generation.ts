import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

/** Both halves together. */
const enoughBytes = 16 * 1024 * 1024;

/**
 * Keeps the part of the heap in which objects begin near 16 MB. V8 lets it grow to 32 MB, and to 128 MB in Node 24, and
 * under load all of that is soon in use. V8 takes no other limit once it runs, but after each collection it can be told
 * by what factor to grow next.
 */
export function limitYoungGeneration(): void {
  let mayGrow = true;
  new PerformanceObserver(() => {
    const space = getHeapSpaceStatistics().find(({ space_name }) => space_name === 'new_space');
    const isSmall = (space?.space_size ?? 0) < enoughBytes;
    if (isSmall === mayGrow) return;
    mayGrow = isSmall;
    setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? 2 : 1}`);
  }).observe({ entryTypes: ['gc'] });
}
