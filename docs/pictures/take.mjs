// Takes screenshots of all screens, or of the named ones, into docs/images: `npm run pictures`, after a build.
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { launchChromium } from '../../test/test-utils/chromium.mjs';
import { fill } from './fill.mjs';
import { withPalette } from './palette-png.mjs';
import { screens } from './screens.mjs';
import { owner, startServer } from './start-server.mjs';

const folder = join(import.meta.dirname, '../images');
/** A Friday morning. The clocks of server and browser are fixed to it, so that the screenshots are reproducible. */
const moment = Date.parse('2026-11-20T10:24:00Z');

/** The period before it that is filled with data. */
const monthMs = 32 * 24 * 3_600_000;

const shapes = {
  wide: { width: 1280, height: 800 },
  phone: { width: 390, height: 844 },
};

/** The names of the screens to take. Empty means all. */
const only = process.argv.slice(2);
const server = await startServer(moment - monthMs);
const browser = await launchChromium(['--font-render-hinting=none']);
try {
  const filled = await fill(server, moment);
  await mkdir(folder, { recursive: true });
  if (only.length === 0) for (const file of await readdir(folder)) await rm(join(folder, file));
  for (const [shape, viewport] of Object.entries(shapes)) {
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      for (const isSignedIn of [true, false]) {
        const context = await newContext({ viewport, colorScheme });
        if (isSignedIn) await signIn(context);
        for (const screen of screens) {
          if ((only.length > 0 && !only.includes(screen.name)) || isSignedIn === (screen.isSignedOut ?? false))
            continue;
          const page = await context.newPage();
          await page.goto(server.url + screen.path(filled));
          await page.locator(screen.shows).first().waitFor();
          if (isSignedIn) await page.locator('.live', { hasText: /^Live/ }).waitFor();
          await screen.act?.(page, filled);
          await page.waitForFunction(() => Array.from(document.images).every((image) => image.complete));
          const png = withPalette(await page.screenshot());
          await writeFile(join(folder, `${screen.name}-${shape}-${colorScheme}.png`), png);
          await page.close();
        }
        await context.close();
      }
      console.log(`${shape}, ${colorScheme}`);
    }
  }
} finally {
  await browser.close();
  await server.stop();
}

/** @param {import('playwright-core').BrowserContextOptions} look */
async function newContext(look) {
  const context = await browser.newContext({ ...look, reducedMotion: 'reduce', locale: 'en-GB', timezoneId: 'UTC' });
  context.setDefaultTimeout(10_000);
  await context.clock.setFixedTime(moment);
  return context;
}

/** @param {import('playwright-core').BrowserContext} context */
async function signIn(context) {
  const headers = { origin: server.url };
  const answer = await context.request.post(`${server.url}/api/v1/auth/session`, { data: owner, headers });
  if (!answer.ok()) throw new Error(`Signing in answered ${answer.status()}.`);
}
