import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useDashboard } from './context.ts';

const script = '<script>document.title="owned"</script><img src=x onerror="document.title=\'owned\'">';
const rightToLeft = '\u202Eevil.exe\u202C שלום العربية';

/** Reports with which an attacker tries to break the dashboard. */
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
  'right-to-left text, emoji, and many combining marks': {
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

/** The widths of a narrow phone and of a desktop window. */
const widths = [360, 1280];

describe.skipIf(!hasChromium)('the dashboard with hostile reports', () => {
  const dashboard = useDashboard();

  /** Returns the effects of the hostile texts on the page, at each width. */
  async function harmOf(page: Page): Promise<string[]> {
    const harm: string[] = [];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      const state = await page.evaluate(() => ({
        scriptRan: document.title === 'owned',
        isTooWide: document.documentElement.scrollWidth > innerWidth,
        elementInjected:
          document.querySelector('main img, main script, main iframe, #app a[href^="javascript"]') !== null,
        buttonOffScreen: (document.querySelector('.actions button')?.getBoundingClientRect().right ?? 0) > innerWidth,
      }));
      for (const [what, has] of Object.entries(state)) if (has) harm.push(`${what} at ${width}`);
    }
    return harm;
  }

  test('shows hostile texts unchanged, without a broken layout or a running script', async () => {
    const { id, api_key } = await dashboard.createProject(script.slice(0, 150));
    await dashboard.createProject('n'.repeat(200));
    const page = await dashboard.open('/');
    for (const [what, report] of Object.entries(hostile)) {
      const { error_group_id, status } = await dashboard.report(api_key, report);
      expect(status, what).toBe(200);
      await page.goto(`${dashboard.url}/groups/${error_group_id}#raw`);
      await page.locator('#raw pre').waitFor();
      // Collapsed parts could hide a broken layout.
      await page.evaluate(() => {
        for (const details of document.querySelectorAll('details')) details.open = true;
        for (const button of document.querySelectorAll('button'))
          if (/earlier|more|library|full/.test(button.textContent)) button.click();
      });
      expect(await harmOf(page), what).toEqual([]);
    }
    for (const [path, shows] of [
      ['/', 'tbody tr:nth-child(4)'],
      [`/?project=${id}&q=${encodeURIComponent(script)}`, 'h1'],
      ['/projects', '.cards li'],
      [`/projects/${id}/settings`, 'text=Rotate the key'],
    ] as const) {
      await page.goto(dashboard.url + path);
      await page.locator(shows).first().waitFor();
      expect(await harmOf(page), path).toEqual([]);
    }
  });
});
