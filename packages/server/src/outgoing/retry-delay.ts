import { hourMs } from '../time/units.ts';

const firstRetryMs = 5_000;
const maxRetryMs = hourMs;

/**
 * Returns how long to wait after a failed delivery: 5 s, 20 s, 80 s … up to an hour. `failed` counts earlier failures.
 */
export function retryDelayMs(failed: number): number {
  return Math.min(maxRetryMs, firstRetryMs * 4 ** failed);
}
