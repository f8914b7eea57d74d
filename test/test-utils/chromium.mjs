// @ts-check
import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';

/** The Chromium of every test, benchmark and script. */
export const chromiumPath = process.env.CHROMIUM_PATH || '/usr/bin/chromium';

export const hasChromium = existsSync(chromiumPath);

/**
 * Chromium starts as root only without a sandbox, and the tests need no GPU and no QUIC. The other flags stop requests
 * to Google, which a closed network delays.
 */
export const chromiumFlags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

if (!hasChromium)
  console.warn(
    `Chromium is missing at ${chromiumPath}, so the tests in a real browser are skipped. ` +
      'Install it (apt-get install chromium) or set CHROMIUM_PATH to another one.',
  );

/**
 * Launches Chromium, driven by Playwright.
 *
 * @param {string[]} flags in addition to the usual ones
 */
export function launchChromium(flags = []) {
  return chromium.launch({ executablePath: chromiumPath, args: [...chromiumFlags, ...flags] });
}

/**
 * Opens a tab with its own profile. An action that takes longer than a minute fails with an error that names the
 * element or event that is missing.
 *
 * @param {import('playwright-core').Browser} browser
 */
export async function newPage(browser) {
  const page = await browser.newPage();
  page.setDefaultTimeout(60_000);
  return page;
}
