import { describe, expect, test } from 'vitest';
import { compareGroups } from './same-groups.ts';
import { isFull } from '../test-utils/depth.ts';

/**
 * An async frame without a function name above one with a name: Sentry's parser removes the `async` of the first. With
 * a source map, the source shows it.
 */
const losesAsync = /\n\s+at async (?:https?|file):.*\n\s+at async \S+ \(/;

describe('captured errors get the same fingerprint from our SDK and from Sentry’s parser', { timeout: 600_000 }, () => {
  test.each(isFull ? ['vite', 'esbuild', 'webpack'] : ['vite'])('built by %s', async (bundler) => {
    for (const withMaps of isFull ? [true, false] : [true]) {
      const { reports, differences } = await compareGroups({ withMaps, bundler, everyNth: isFull ? 1 : 16 });
      console.log(`${bundler}, maps: ${withMaps}, ${reports} reports, ${differences.length} differ`);
      expect(reports).toBeGreaterThan(100);
      const unexplained = differences.filter(({ stack }) => !stack.includes('eval'));
      expect(unexplained.filter(({ stack }) => withMaps || !losesAsync.test(stack))).toEqual([]);
      expect(differences.length).toBeLessThanOrEqual(reports / 200);
    }
  });
});
