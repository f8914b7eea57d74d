// Opens pages of the built site in Chromium, light and dark: axe must find no violation. The first page must have at
// most 150 kB and request nothing from another host. Reads all pages for links to missing anchors. Fails with a list
// of what it found.
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { launchChromium } from '../test/test-utils/chromium.mjs';
import { built, serveSite } from './serve-site.mjs';

const pages = ['/', '/start', '/concepts/grouping', '/hosting/containers', '/reference/api', '/self-hosting', '/sdk/'];
const maxFirstPageBytes = 150_000;

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8');
const site = await serveSite();
const browser = await launchChromium();
const problems = missingAnchors();
try {
  problems.push(...(await checkFirstPage()));
  for (const page of pages)
    for (const scheme of /** @type {const} */ (['light', 'dark'])) problems.push(...(await violations(page, scheme)));
} finally {
  await browser.close();
  site.close();
}
for (const problem of problems) console.error(problem);
console.log(problems.length === 0 ? 'The site is accessible and light.' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

/** @param {string} file */
function pathOf(file) {
  return `/${file.replace(/(?:index)?\.html$/, '')}`;
}

function missingAnchors() {
  const files = readdirSync(built, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'));
  const htmlOf = new Map(files.map((file) => [pathOf(file), readFileSync(join(built, file), 'utf8')]));
  return [...htmlOf].flatMap(([path, html]) =>
    Array.from(html.matchAll(/<a [^>]*?href="(\/[^"#]*)?#([^"]+)"/g), ([, target = path, anchor = '']) => ({
      target,
      anchor,
    }))
      .filter(({ target, anchor }) => !htmlOf.get(target)?.includes(`id="${decodeURIComponent(anchor)}"`))
      .map(({ target, anchor }) => `${path} links to ${target}#${anchor}, which does not exist`),
  );
}

/** @returns {Promise<string[]>} */
async function checkFirstPage() {
  const page = await browser.newPage();
  /** @type {string[]} */
  const found = [];
  page.on('response', async (response) => {
    if (!response.url().startsWith(site.url)) found.push(`The first page requests ${response.url()}`);
  });
  const before = site.sentBytes();
  await page.goto(site.url, { waitUntil: 'networkidle' });
  // The pages behind the links in view are loaded when the browser is idle.
  await page.waitForTimeout(2_000);
  await page.close();
  const bytes = site.sentBytes() - before;
  console.log(`First page: ${bytes} B with prefetched pages`);
  if (bytes < 20_000) found.push(`The first page has only ${bytes} B: it is incomplete`);
  if (bytes > maxFirstPageBytes) found.push(`The first page has ${bytes} B`);
  return found;
}

/** @param {string} path @param {'light' | 'dark'} colorScheme @returns {Promise<string[]>} */
async function violations(path, colorScheme) {
  const page = await browser.newPage({ colorScheme });
  await page.goto(site.url + path, { waitUntil: 'networkidle' });
  // VitePress names its switch when the page is hydrated, which may be after the last request.
  await page.waitForSelector('.VPSwitchAppearance:not([title=""])', { state: 'attached' });
  await page.evaluate(axe);
  const found = await page.evaluate('axe.run()');
  await page.close();
  return /** @type {{ violations: { id: string, nodes: { html: string }[] }[] }} */ (found).violations.map(
    ({ id, nodes }) => `${path} (${colorScheme}): ${id} at ${nodes[0]?.html}`,
  );
}
