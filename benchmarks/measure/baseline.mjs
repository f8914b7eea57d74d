import { resolve } from 'node:path';
import { thisClone } from '../servers/service.mjs';
import { median } from './statistics.mjs';

/** How much more than the baseline a measurement may be. */
const tolerance = 1.03;

/**
 * Returns the builds that a run measures in turn: this clone, and the clone of `--baseline` if it is set.
 *
 * @param {string} baseline the root of another built clone, or an empty text
 * @returns {{ clone: string, suffix: string }[]}
 */
export function comparedBuilds(baseline) {
  const builds = [{ clone: thisClone, suffix: '' }];
  return baseline === '' ? builds : [...builds, { clone: resolve(baseline), suffix: ', baseline' }];
}

/**
 * Returns a check of the median ratio of measurements that were made in pairs, one right after the other, so that noise
 * affects both.
 *
 * @param {string} name
 * @param {readonly number[]} values
 * @param {readonly number[]} baseline as many, in the same order
 * @returns {import('../output/check.mjs').Check}
 */
export function baselineCheck(name, values, baseline) {
  const ratios = values.map((value, at) => value / baseline[at]);
  return { name: `${name} ÷ baseline`, value: median(ratios), unit: '', atMost: tolerance };
}
