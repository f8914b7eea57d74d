import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { judge, judgeDarkAndNarrow } from './assert-screen.ts';
import { useScene } from './context.ts';
import { seed, type Seeded } from './seed.ts';

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
  {
    name: 'group-resolved',
    path: ({ groups }) => `/groups/${groups.message}`,
    shows: 'h1',
    act: async (page) => {
      await page.keyboard.press('r');
      await page.getByRole('button', { name: 'Undo' }).click();
      await page.getByText('The error is reopened.').waitFor();
    },
  },
  { name: 'group-gone', path: () => '/groups/4711', shows: 'text=There is nothing here' },
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
  { name: 'notifications', path: ({ shop }) => `/projects/${shop.id}/notifications`, shows: 'text=Post to a channel' },
  { name: 'origins', path: ({ shop }) => `/projects/${shop.id}/origins`, shows: 'textarea' },
  { name: 'team', path: () => '/team', shows: '.people tbody tr' },
  { name: 'tokens', path: () => '/tokens', shows: 'text=Change password' },
  { name: 'usage', path: () => '/usage', shows: '.meter' },
  { name: 'shortcuts', path: () => '/#shortcuts', shows: 'dialog kbd' },
];

const looks = [
  { name: 'light', colorScheme: 'light', viewport: { width: 1280, height: 800 } },
  { name: 'dark', colorScheme: 'dark', viewport: { width: 1280, height: 800 } },
  { name: 'phone, light', colorScheme: 'light', viewport: { width: 360, height: 780 } },
  { name: 'phone, dark', colorScheme: 'dark', viewport: { width: 360, height: 780 } },
] as const;
/** All rules in all looks take a minute. Else one look has all, and then what darkness and a narrow window may break. */
const isFull = process.env.TEST_DEPTH === 'full';

describe.skipIf(!hasChromium)('every screen, by its address', { timeout: 120_000 }, () => {
  const scene = useScene({
    SERVICE_PLANS: JSON.stringify([
      { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 120, ai_quota: 5 },
      { id: 'team', name: 'Team', price: 2900, currency: 'EUR', error_quota: 100_000, ai_quota: 500 },
    ]),
    SERVICE_PLAN: 'free',
  });
  let seeded: Seeded;
  beforeAll(async () => {
    seeded = await seed(scene);
  });

  test.each(isFull ? looks : looks.slice(0, 1))(
    '$name: no violation, nothing too wide',
    async ({ colorScheme, viewport }) => {
      // The group that is gone.
      const context = await scene.context({ colorScheme, viewport, reducedMotion: 'reduce', wanted: /status of 404/ });
      const page = await context.newPage();
      const found: string[] = [];
      async function look(name: string): Promise<void> {
        const all = [...(await judge(page)), ...(isFull ? [] : await judgeDarkAndNarrow(page))];
        found.push(...all.map((what) => `${name}: ${what}`));
      }

      for (const visit of visits) {
        await page.goto('about:blank');
        await page.goto(scene.url + visit.path(seeded));
        await page.locator(visit.shows).first().waitFor();
        await visit.act?.(page);
        await look(visit.name);
      }
      // The screens of whoever is not signed in.
      await page.goto(scene.url);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      await look('sign-in');
      expect(found).toEqual([]);
    },
  );
});
