import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';

const axe = readFile(new URL('../../node_modules/axe-core/axe.min.js', import.meta.url), 'utf8');

/** WCAG 2.2 AA, and what is said to be good beside it. */
const everyRule = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
};
/** Those that other colours and another width may break on a page that has kept all of them. */
const rulesOfLooks = {
  type: 'rule',
  values: ['color-contrast', 'link-in-text-block', 'target-size', 'scrollable-region-focusable', 'meta-viewport'],
};

/** What is wrong with a screen as it stands, by axe and by its width. */
export async function judge(page: Page, runOnly = everyRule): Promise<string[]> {
  // The policy of the page lets nothing in; the tools of the browser are above it.
  const devtools = await page.context().newCDPSession(page);
  const run = async (expression: string): Promise<unknown> =>
    (await devtools.send('Runtime.evaluate', { expression, awaitPromise: true, returnByValue: true })).result.value;
  if (!(await run('!!window.axe'))) await run(await axe);
  // What passes is of no interest, and to describe it takes axe longer than all the rest.
  const options = JSON.stringify({ runOnly, resultTypes: ['violations'], preload: false });
  const violations = (await run(
    `axe.run(document, ${options}).then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, any }) => id + ' ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? '').slice(0, 120))))`,
  )) as string[];
  await devtools.detach();
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [...violations, ...(isTooWide ? ['is wider than the window'] : [])];
}

/** The same screen in the dark, and as narrow as phones are. */
export async function judgeDarkAndNarrow(page: Page): Promise<string[]> {
  const wide = page.viewportSize();
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 360, height: 780 });
  const found = await judge(page, rulesOfLooks);
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  if (wide) await page.setViewportSize(wide);
  return found.map((what) => `dark and narrow: ${what}`);
}
