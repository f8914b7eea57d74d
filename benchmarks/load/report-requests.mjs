import { randomFraction } from '../../test/test-utils/seeded-random.mjs';
import { incident } from './incident.mjs';
import { report } from './report.mjs';
import { request } from './request.mjs';

const headers = { 'Content-Type': 'application/json' };

/**
 * Returns functions that create requests with reports. Each has an error of the next group, in turn.
 *
 * @param {{ url: URL, apiKey: string, groups: number, seed?: number }} options
 */
export function reportRequests({ url, apiKey, groups, seed = 1 }) {
  const random = randomFraction(seed);
  let made = 0;
  const next = () => request('POST', url, { headers, body: report(incident(made++ % groups, random), apiKey) });
  return {
    next,
    /** @param {number} count */
    take: (count) => Array.from({ length: count }, next),
  };
}
