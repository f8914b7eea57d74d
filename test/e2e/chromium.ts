import { existsSync } from 'node:fs';
import { chromium, type Browser, type Page } from 'playwright-core';

const executablePath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';

export const hasChromium = existsSync(executablePath);

if (!hasChromium)
  console.warn(
    `There is no Chromium at ${executablePath}, so nothing is tried in a real browser. ` +
      'Install it (apt-get install chromium) or name another with CHROMIUM_PATH.',
  );

export function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    // As root, Chromium has no sandbox. The rest keeps it from calling home, which a closed network answers slowly.
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}

/** A tab with a profile of its own. What it waits for comes within ten seconds, or the test says what was missing. */
export async function newPage(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  return page;
}
