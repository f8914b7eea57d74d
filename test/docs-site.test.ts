import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadReference } from '../docs/reference/render.mjs';
import { fingerprint } from '../packages/server/src/fingerprint/fingerprint.ts';
import { parseReport } from '../packages/server/src/report/parse-report.ts';
import { rawFrames } from '../packages/server/src/stack/raw-frames.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.md') && !file.includes('node_modules') && !file.startsWith('.vitepress'),
);

test('every page is in the sidebar; decisions are in their index', () => {
  const config = read('docs/.vitepress/config.ts');
  const links = new Set(Array.from(config.matchAll(/\['[^']+', '(\/[^']*)'\]/g), ([, link]) => link));
  const linkOf = (page: string): string => `/${page.replace(/README\.md$/, '').replace(/\.md$/, '')}`;
  const expected = pages.filter((page) => page !== 'index.md' && !/^decisions\/\d/.test(page)).map(linkOf);
  expect([...links].toSorted()).toEqual(expected.toSorted());
});

/** Returns the pages, with anchors, that a page links to. */
function linksOf(page: string): string[] {
  // The features and actions of the first page are links of the site: `/start`.
  const ofSite = Array.from(read(`docs/${page}`).matchAll(/^ +link: \/(\S+)$/gm), ([, link]) => `${link}.md`);
  const ofText = Array.from(read(`docs/${page}`).matchAll(/\]\((?!\w+:|#)([^)\s]+)\)/g), ([, link = '']) =>
    join(dirname(page), link),
  );
  return [...ofSite, ...ofText];
}

test.each([
  ['Docker', 'hosting/containers.md'],
  ['behind nginx', 'hosting/proxies.md'],
  ['upgrade', 'self-hosting.md#upgrade-and-rollback'],
  ['backup', 'self-hosting.md#backup'],
  ['React', 'react.md'],
  ['source maps in CI', 'releases-in-ci.md'],
  ['moving from Sentry', 'coming-from-sentry.md'],
  ['what happens at the quota', 'concepts/quotas.md'],
  ['how to delete the data of a user', 'hosting/delete-data.md'],
])('%s is within two clicks of the first page', (_, target) => {
  const first = linksOf('index.md');
  const second = first
    .map((link) => link.replace(/#.*/, ''))
    .filter((link) => pages.includes(link))
    .flatMap(linksOf);
  expect([...first, ...second]).toContain(target);
});

test('the generated pages of the reference are up to date (node docs/reference/write.mjs)', async () => {
  for (const [file, text] of Object.entries(await loadReference())) expect(read(`docs/reference/${file}`)).toBe(text);
});

test.each([
  ['docs/hosting/proxies.md', 'deploy/nginx/service.conf'],
  ['docs/hosting/proxies.md', 'deploy/caddy/Caddyfile'],
])('%s quotes %s', (page, file) => {
  const code = read(file).replace(/^(?:#.*\n)+/, '');
  expect(read(page)).toContain(`\n${code}\`\`\``);
});

describe('the examples of docs/concepts/grouping.md', () => {
  const examples = Array.from(
    read('docs/concepts/grouping.md').matchAll(/^```text (one group|two groups)\n([^]*?)^```$/gm),
    ([, outcome = '', stacks = '']) => ({ outcome, stacks: stacks.trimEnd().split('\n\n') }),
  );

  const fingerprintOf = (stacktrace: string): string => {
    const { facts, stack } = parseReport({ stacktrace }, { userAgent: null, receivedAt: 0 });
    const { type, message, url } = facts;
    return fingerprint({ type, message, url, frames: rawFrames(stack.frames, url), causes: [] }).fingerprint;
  };

  test('there are at least four', () => expect(examples.length).toBeGreaterThanOrEqual(4));

  test.each(examples)('these are $outcome: $stacks', ({ outcome, stacks }) => {
    expect(stacks.length).toBe(2);
    expect(new Set(stacks.map(fingerprintOf)).size).toBe(outcome === 'one group' ? 1 : 2);
  });
});
