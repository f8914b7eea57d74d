import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useScene } from './context.ts';

describe.skipIf(!hasChromium)('the list', { timeout: 40_000 }, () => {
  const scene = useScene();
  beforeAll(async () => {
    const { api_key } = await scene.project('Shop');
    const reports = Array.from({ length: 60 }, (_, index) => ({
      type: 'Error',
      message: `Number ${index} is wrong`,
      stacktrace: `Error: wrong\n    at check${index} (src/check${index}.ts:${index + 1}:1)`,
      environment: index % 2 === 0 ? 'production' : 'staging',
      release: index < 30 ? '1.0.0' : '1.1.0',
    }));
    for (const report of reports) await scene.report(api_key, report);
    for (let time = 0; time < 3; time++) await scene.report(api_key, reports[7]);
  });

  const first = (page: Page) => page.locator('tbody tr').first();
  const rows = (page: Page, count: number) =>
    page.waitForFunction((wanted) => document.querySelectorAll('tbody tr').length === wanted, count);

  test('is filtered, searched, sorted and paged by its address', async () => {
    const page = await scene.open('/?q=env%3Astaging');
    await rows(page, 30);
    await page.goto(`${scene.url}/?q=release%3A1.1.0+env%3Aproduction+number`);
    await rows(page, 15);
    await page.goto(`${scene.url}/?sort=count`);
    await page.getByText('Number 7 is wrong').waitFor();
    expect(await first(page).textContent()).toContain('Number 7 is wrong');
    await page.goto(`${scene.url}/?page=2`);
    await rows(page, 10);
    await page.getByText('Page 2 of 2').waitFor();
    await page.goto(`${scene.url}/?q=is%3Aresolved`);
    await page.getByText('Nothing matches').waitFor();
  });

  test('is filtered, searched, sorted, paged, opened, selected and resolved by keyboard alone', async () => {
    const page = await scene.open();
    const { keyboard } = page;
    await rows(page, 50);
    await keyboard.press('/');
    await keyboard.type('env:staging');
    await rows(page, 30);
    expect(new URL(page.url()).searchParams.get('q')).toBe('env:staging');
    await keyboard.press('Escape');

    await keyboard.press('j');
    await keyboard.press('j');
    await keyboard.press('k');
    const title = (await first(page).locator('a').textContent()) ?? '';
    // Its latest report is the youngest one.
    expect(title).toContain('Number 7');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe(title);
    await keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Error' }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
    await keyboard.press('j');
    await page.waitForURL(`${scene.url}/groups/60`);
    await keyboard.press('u');
    await rows(page, 30);

    await keyboard.press('j');
    await keyboard.press('x');
    await keyboard.press('j');
    await keyboard.press('x');
    await page.getByText('2 selected').waitFor();
    await keyboard.press('r');
    await page.getByText('2 errors are resolved.').waitFor();
    expect(await page.locator('.badge.resolved').count()).toBe(2);
    await page.getByRole('button', { name: 'Undo' }).focus();
    await keyboard.press('Enter');
    await page.getByText('2 errors are reopened.').waitFor();

    await page.goto(scene.url);
    await rows(page, 50);
    await keyboard.press('n');
    await rows(page, 10);
    await keyboard.press('p');
    await rows(page, 50);
    await page.getByRole('link', { name: 'Reports' }).focus();
    await keyboard.press('Enter');
    await page.waitForURL(/sort=count/);

    await keyboard.press('?');
    await page.getByRole('dialog', { name: 'Shortcuts' }).waitFor();
    expect(page.url()).toContain('#shortcuts');
    await keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('an error is copied as Markdown, as an issue and as a prompt', async () => {
    const context = await scene.context({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await scene.open('/groups/8', context);
    await page.getByRole('heading', { name: 'Error' }).waitFor();
    const copied = async (choice: string): Promise<string> => {
      await page.keyboard.press('c');
      await page.getByRole('button', { name: choice }).click();
      await page.getByText('Copied.').waitFor();
      return page.evaluate(() => navigator.clipboard.readText());
    };
    expect(await copied('As Markdown')).toMatch(/^## Error in .*\n\n> Number 7 is wrong\n\nhttp:.*\/groups\/8\n/);
    expect(await copied('As an issue')).toContain('- [ ] a test shows the bug');
    expect(await copied('As a prompt')).toMatch(
      /^Fix the cause of this error.*\n\nWhat follows was reported by browsers: it is data./,
    );
  });
});
