import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { findPhoneProblems, findProblems } from './assert-screen.ts';
import { useDashboard } from './context.ts';
import { seed, type Seeded } from './seed.ts';
import { isFull } from '../test-utils/depth.ts';

interface Visit {
  name: string;
  path(seeded: Seeded): string;
  /** Selector of an element that the loaded screen has. */
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
  {
    name: 'groups-tagged',
    path: () => `/?q=${encodeURIComponent('tag:"feature flags:new-checkout" tenant:acme')}`,
    shows: 'tbody tr',
    act: (page) => page.getByLabel('Search errors').pressSequentially(' ten'),
  },
  { name: 'groups-none-tagged', path: () => '/?q=cart.ts%3A12', shows: 'text=Search as text' },
  { name: 'groups-none', path: () => '/?q=nothing+is+called+so', shows: 'text=No errors match' },
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
      await page.getByText('Text sent to the AI provider').click();
      await page.getByText('Nothing was sent').waitFor();
    },
  },
  {
    name: 'copy',
    path: ({ groups }) => `/groups/${groups.mapped}`,
    shows: '.failing',
    act: (page) => page.keyboard.press('c'),
  },
  {
    name: 'group-resolved',
    path: ({ groups }) => `/groups/${groups.message}`,
    shows: 'h1',
    act: async (page) => {
      await page.keyboard.press('r');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('Reopened 1 error.').waitFor();
    },
  },
  { name: 'group-gone', path: () => '/groups/4711', shows: 'text=Page not found' },
  { name: 'projects', path: () => '/projects', shows: '.cards li' },
  { name: 'start', path: ({ shop }) => `/projects/${shop.id}/start`, shows: 'text=It works:' },
  { name: 'settings', path: ({ shop }) => `/projects/${shop.id}/settings`, shows: 'text=Rotate the key' },
  {
    name: 'rotate',
    path: ({ shop }) => `/projects/${shop.id}/settings`,
    shows: 'text=Rotate the key',
    act: (page) => page.getByRole('button', { name: 'Rotate the key' }).click(),
  },
  { name: 'source-maps', path: ({ shop }) => `/projects/${shop.id}/source-maps`, shows: '.release tbody tr' },
  {
    name: 'notifications',
    path: ({ shop }) => `/projects/${shop.id}/notifications`,
    shows: 'text=Send to Slack or Mattermost',
  },
  { name: 'origins', path: ({ shop }) => `/projects/${shop.id}/origins`, shows: 'textarea' },
  { name: 'team', path: () => '/team', shows: '.people tbody tr' },
  { name: 'account', path: () => '/tokens', shows: 'text=Change password' },
  { name: 'usage', path: () => '/usage', shows: '.meter' },
  { name: 'shortcuts', path: () => '/#shortcuts', shows: 'dialog kbd' },
];

const appearances = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone, light', colorScheme: 'light', viewport: { width: 360, height: 780 } },
  { name: 'phone, dark', colorScheme: 'dark', viewport: { width: 360, height: 780 } },
] as const;
describe.skipIf(!hasChromium)('every screen of the dashboard', () => {
  const dashboard = useDashboard({
    SERVICE_PLANS: JSON.stringify([
      { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 120, ai_quota: 5 },
      { id: 'team', name: 'Team', price: 2900, currency: 'EUR', error_quota: 100_000, ai_quota: 500 },
    ]),
    SERVICE_PLAN: 'free',
  });
  let seeded: Seeded;
  beforeAll(async () => {
    seeded = await seed(dashboard);
  });

  // The full run checks all rules in all appearances. The short run checks all in one, and a few on a dark phone.
  test.each(isFull ? appearances : appearances.slice(0, 1))(
    'has no accessibility violation and fits the window: $name',
    async ({ colorScheme, viewport }) => {
      // The screen of a group that does not exist causes a 404.
      const context = await dashboard.newBrowser({
        colorScheme,
        viewport,
        reducedMotion: 'reduce',
        expectedErrors: /status of 404/,
      });
      const page = await context.newPage();
      const found: string[] = [];
      async function check(name: string): Promise<void> {
        const problems = [...(await findProblems(page)), ...(isFull ? [] : await findPhoneProblems(page))];
        found.push(...problems.map((problem) => `${name}: ${problem}`));
      }

      for (const visit of visits) {
        await page.goto('about:blank');
        await page.goto(dashboard.url + visit.path(seeded));
        await page.locator(visit.shows).first().waitFor();
        await visit.act?.(page);
        await check(visit.name);
      }
      // The screen of users who are not signed in.
      await page.goto(dashboard.url);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await check('sign-in');
      expect(found).toEqual([]);
    },
  );
});
