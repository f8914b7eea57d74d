import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const axe = readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** The rules of WCAG 2.2 AA, and best practices. */
const allRules = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** The rules that another color scheme or width can break on a page that passes `allRules`. */
const appearanceRules = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable', 'meta-viewport'],
};

/** Asserts that the current screen has no violation and fits the window, in the light scheme and on a dark phone. */
export async function assertScreen(page: Page): Promise<void> {
  expect([...(await findProblems(page)), ...(await findPhoneProblems(page))]).toEqual([]);
}

/** Returns the violations that axe finds on the current screen, and whether it is too wide. */
export async function findProblems(page: Page, runOnly = allRules): Promise<string[]> {
  // The content security policy blocks injected scripts, but not those of the developer tools.
  const devtools = await page.context().newCDPSession(page);
  const run = async (expression: string): Promise<unknown> =>
    (await devtools.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result.value;
  if (!(await run('!!window.axe'))) await run(await axe);
  // Describing the passed rules would take axe longer than everything else.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false });
  const violations = (await run(
    `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => id + ' ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? '').slice(0, 120))))`,
  )) as string[];
  await devtools.detach();
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [...violations, ...(isTooWide ? ['is wider than the window'] : [])];
}

/** Returns the problems of the current screen in the dark color scheme and at the width of a phone. */
export async function findPhoneProblems(page: Page): Promise<string[]> {
  const viewport = page.viewportSize();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 360, height: 780 });
  const found = await findProblems(page, appearanceRules);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  if (viewport) await page.setViewportSize(viewport);
  return found.map((problem) => `on a dark phone: ${problem}`);
}
