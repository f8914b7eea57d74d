import { mkdirSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../e2e/chromium.ts';
import { axeSource, openScene, watch, type Scene } from './scene.ts';
import { seed, type Seeded } from './seed.ts';

/** Where pictures of all screens are put, if anybody wants them. */
const pictures = process.env.SCREENSHOTS;

interface Visit {
  name: string;
  path(seeded: Seeded): string;
  /** What tells that the screen is there. */
  shows: string;
  act?(page: Page): Promise<unknown>;
}

const visits: Visit[] = [
  { name: 'groups', path: () => '/', shows: 'tbody tr' },
  {
    name: 'groups-filtered',
    path: ({ shop }) => `/?q=${encodeURIComponent('is:all env:production figs')}&project=${shop.id}`,
    shows: 'tbody tr',
  },
  { name: 'groups-none', path: () => '/?q=nothing+is+called+so', shows: 'text=Nothing matches' },
  {
    name: 'groups-selected',
    path: () => '/?sort=count',
    shows: 'tbody tr',
    act: async (page) => {
      for (const index of [0, 1, 2]) await page.locator('tbody input').nth(index).check();
    },
  },
  { name: 'group', path: ({ groups }) => `/groups/${groups.mapped}`, shows: '.failing' },
  { name: 'group-unmapped', path: ({ groups }) => `/groups/${groups.unmapped}#raw`, shows: '.steps' },
  { name: 'group-message', path: ({ groups }) => `/groups/${groups.message}#grouping`, shows: '.components' },
  {
    name: 'group-explained',
    path: ({ groups }) => `/groups/${groups.mapped}?reports=1`,
    shows: '.reports a',
    act: async (page) => {
      if (await page.locator('.markdown').count()) return;
      await page.getByRole('button', { name: 'Explain this error' }).click();
      await page.locator('.markdown').waitFor();
      await page.getByText('What was sent').click();
      await page.getByText('by rules').waitFor();
    },
  },
  {
    name: 'copy',
    path: ({ groups }) => `/groups/${groups.mapped}`,
    shows: '.failing',
    act: (page) => page.keyboard.press('c'),
  },
  { name: 'group-gone', path: () => '/groups/4711', shows: 'text=There is nothing here' },
  { name: 'projects', path: () => '/projects', shows: '.cards li' },
  { name: 'start', path: ({ shop }) => `/projects/${shop.id}/start`, shows: 'text=Waiting for the first report' },
  { name: 'settings', path: ({ shop }) => `/projects/${shop.id}/settings`, shows: 'text=Rotate the key' },
  {
    name: 'rotate',
    path: ({ shop }) => `/projects/${shop.id}/settings`,
    shows: 'text=Rotate the key',
    act: (page) => page.getByRole('button', { name: 'Rotate the key' }).click(),
  },
  { name: 'source-maps', path: ({ shop }) => `/projects/${shop.id}/source-maps`, shows: '.release tbody tr' },
  { name: 'notifications', path: ({ shop }) => `/projects/${shop.id}/notifications`, shows: 'text=Post to a channel' },
  { name: 'origins', path: ({ shop }) => `/projects/${shop.id}/origins`, shows: 'textarea' },
  { name: 'team', path: () => '/team', shows: '.people tbody tr' },
  { name: 'tokens', path: () => '/tokens', shows: 'text=Change password' },
  { name: 'usage', path: () => '/usage', shows: '.meter' },
  { name: 'shortcuts', path: () => '/#shortcuts', shows: 'dialog kbd' },
];

describe.skipIf(!hasChromium)('every screen, by its address', { timeout: 120_000 }, () => {
  let scene: Scene;
  let seeded: Seeded;
  let axe: string;
  beforeAll(async () => {
    scene = await openScene({
      SERVICE_PLANS: JSON.stringify([
        { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 120, ai_quota: 5 },
        { id: 'team', name: 'Team', price: 2900, currency: 'EUR', error_quota: 100_000, ai_quota: 500 },
      ]),
      SERVICE_PLAN: 'free',
    });
    seeded = await seed(scene);
    axe = await axeSource();
  });
  afterAll(() => scene?.close());

  const looks = [
    { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
    { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
    { name: 'phone-light', colorScheme: 'light', viewport: { width: 390, height: 844 } },
    { name: 'phone-dark', colorScheme: 'dark', viewport: { width: 390, height: 844 } },
  ] as const;

  // All of them take a minute and a half.
  const tried = process.env.TEST_DEPTH === 'full' || pictures ? looks : looks.slice(0, 1);
  test.each(tried)(
    '$name: no violation, nothing too wide, no word in the console',
    async ({ name, colorScheme, viewport }) => {
      const context = await scene.context({ colorScheme, viewport, reducedMotion: 'reduce' });
      const { page, problems } = await watch(await context.newPage());
      const found: string[] = [];
      for (const visit of visits) {
        await page.goto('about:blank');
        await page.goto(scene.url + visit.path(seeded));
        await page.locator(visit.shows).first().waitFor();
        await visit.act?.(page);
        found.push(...(await judge(page, axe)).map((what) => `${visit.name}: ${what}`));
        await picture(page, `${visit.name}-${name}`);
      }
      // The screens of whoever is not signed in.
      await page.goto(scene.url);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      found.push(...(await judge(page, axe)).map((what) => `sign-in: ${what}`));
      await picture(page, `sign-in-${name}`);
      expect(found).toEqual([]);
      // The group that is gone.
      expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
      await context.close();
    },
  );
});

async function picture(page: Page, name: string): Promise<void> {
  if (!pictures) return;
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: `${pictures}/${name}.png` });
}

/** What is wrong with a screen, by axe and by its width. */
async function judge(page: Page, axe: string): Promise<string[]> {
  // The policy of the page lets nothing in; the tools of the browser are above it.
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Runtime.evaluate', { expression: axe });
  const { result } = await devtools.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(({ violations }) =>
      JSON.stringify(violations.flatMap(({ id, nodes }) => nodes.map(({ html, any }) => id + ' ' + html.slice(0, 160) + ' ' + (any[0]?.message ?? '').slice(0, 120)))))`,
    awaitPromise: true,
    returnByValue: true,
  });
  await devtools.detach();
  const isTooWide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
  return [...(JSON.parse(String(result.value)) as string[]), ...(isTooWide ? ['is wider than the window'] : [])];
}
