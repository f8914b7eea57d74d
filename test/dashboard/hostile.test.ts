import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../e2e/chromium.ts';
import { openScene, type Scene } from './scene.ts';

const script = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">';
const rightToLeft = '\u202Eevil.exe\u202C שלום العربية';

/** Reports as somebody would write them who wants to break the page for whoever reads it. */
const hostile: Record<string, object> = {
  'a script in every field': {
    type: script,
    message: script,
    stacktrace: `${script}\n    at ${script} (javascript:document.title='owned':1:1)`,
    environment: script.slice(0, 60),
    release: script,
    url: 'javascript:document.title="owned"',
    user_agent: script,
    user: { id: script },
    breadcrumbs: [
      { timestamp: script, type: script, category: script, data: { url: 'javascript:alert(1)', message: script } },
    ],
    metadata: { [script]: script, __proto__: script },
  },
  'a word of 8 KB': {
    type: 'W'.repeat(200),
    message: 'w'.repeat(8_000),
    stacktrace: `Error: ${'w'.repeat(900)}\n    at ${'f'.repeat(400)} (https://shop.example/${'p'.repeat(500)}.js:1:1)`,
    environment: 'e'.repeat(64),
    release: 'r'.repeat(200),
    url: `https://shop.example/${'u'.repeat(2_000)}`,
    user: { id: 'i'.repeat(200) },
    breadcrumbs: [
      {
        timestamp: new Date().toISOString(),
        type: 'ui',
        category: 'c'.repeat(300),
        data: { message: 'm'.repeat(3_000) },
      },
    ],
    metadata: { ['k'.repeat(300)]: 'v'.repeat(8_000) },
  },
  'right to left, emoji, and no end of marks': {
    type: `${rightToLeft}Error`,
    message: `${rightToLeft} 👩‍👩‍👧‍👦🏴‍☠️ Z${'\u0335\u0301'.repeat(200)} \u0000\u2028`,
    stacktrace: `Error: ${rightToLeft}\n    at ${rightToLeft} (src/${rightToLeft}.ts:1:1)`,
    environment: '🏭',
    breadcrumbs: [{ timestamp: '+275760-09-13T00:00:00Z', type: '', category: rightToLeft, data: {} }],
  },
  '100 breadcrumbs and 250 frames': {
    message: 'Deep',
    stacktrace: `Error: Deep\n${Array.from({ length: 249 }, (_, index) => `    at deep${index} (src/deep${index}.ts:${index + 1}:1)`).join('\n')}`,
    breadcrumbs: Array.from({ length: 100 }, (_, index) => ({
      timestamp: new Date(index).toISOString(),
      type: 'console',
      category: 'console',
      data: { level: 'error', arguments: [index, null, { deep: [[[[index]]]] }] },
    })),
  },
};

describe.skipIf(!hasChromium)('what strangers report', { timeout: 60_000 }, () => {
  let scene: Scene;
  beforeAll(async () => {
    scene = await openScene();
  });
  afterAll(() => scene?.close());

  test.each([
    ['wide', 1280],
    ['as wide as a phone', 390],
  ])('%s, shows as text, breaks no layout and runs nothing', async (_name, width) => {
    const { api_key } = await scene.project(script.slice(0, 150));
    const { page, problems } = await scene.open('/');
    await page.setViewportSize({ width, height: 800 });
    for (const [what, report] of Object.entries(hostile)) {
      const { error_group_id, status } = await scene.report(api_key, report);
      expect(status, what).toBe(200);
      await page.goto(`${scene.url}/groups/${error_group_id}#raw`);
      await page.locator('#raw pre').waitFor();
      // Everything that can be opened is.
      await page.evaluate(() => document.querySelectorAll('details').forEach((details) => (details.open = true)));
      await page.evaluate(() => {
        for (const button of document.querySelectorAll('button'))
          if (/earlier|more/.test(button.textContent)) button.click();
      });
      const state = await page.evaluate(() => ({
        title: document.title,
        isTooWide: document.documentElement.scrollWidth > innerWidth,
        made: document.querySelectorAll('main img, main script, main iframe, #app a[href^="javascript"]').length,
        covered: document.querySelector('.acts button')?.getBoundingClientRect().right ?? 0,
      }));
      expect({ what, ...state, title: state.title === 'owned' }).toEqual({
        what,
        title: false,
        isTooWide: false,
        made: 0,
        covered: expect.any(Number),
      });
      expect(state.covered, what).toBeLessThanOrEqual(width);
    }
    await page.goto(scene.url);
    await page.locator('tbody tr').nth(3).waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth)).toBe(false);
    expect(await page.locator('main img, main script').count()).toBe(0);
    expect(problems).toEqual([]);
    await page.close();
  });
});
