import { createHash } from 'node:crypto';
import { expect } from 'vitest';
import type { ErrorReport } from '../../../packages/browser/src/index.ts';
import { snippet } from '../../../packages/browser/src/loader/snippet.ts';
import type { SdkPromise } from '../sdk-promise.ts';
import type { TestContext } from '../test-context.ts';

export const earlyErrors: SdkPromise = {
  promise: 'Errors before the SDK has loaded are reported once, in order, with their original time',
  cases: {
    'the page starts the SDK': async ({ add, tab, page, sink }) => {
      const files = { ...pageWith(`<script>${snippet}</script>`), 'start.js': startLater(sink.endpoint) };
      await tab.goto(add({ options: null, files }));
      const happened = await page.run(() => self.happened);
      // Event times and dates are rounded separately.
      const known = Date.now() + 5;
      await page.run(loadStart);
      for (const { timestamp } of inOrder(await sink.reports(3), happened))
        expect(Date.parse(timestamp ?? '')).toBeLessThanOrEqual(known);

      await page.run(() => ServiceSDK.captureException(new Error('later')));
      await page.flush();
      expect(sink.posts()).toHaveLength(4);
    },
    'an image that fails to load': async ({ add, tab, page, sink }) => {
      const html = `<!doctype html><meta charset="utf-8"><title>A page</title>
        <script>${snippet}</script>
        <script>happened = new Promise((resolve) => addEventListener('error', () => resolve(['missed']), true));</script>
        <img src="/early.png" alt="">`;
      const files = { 'index.html': html, 'start.js': startLater(sink.endpoint) };
      await tab.goto(add({ options: null, files }));
      await page.run(() => self.happened);
      const known = Date.now() + 5;
      await page.run(loadStart);
      const [report] = await sink.reports(1);
      expect(report?.message).toMatch(/^Could not load http.*\/early\.png$/);
      expect(Date.parse(report?.timestamp ?? '')).toBeLessThanOrEqual(known);
    },
    'the snippet loads the SDK, under a policy with a nonce and Trusted Types': (context) =>
      loadedBySnippet(context, 'nonce="abc"', "'nonce-abc'"),
    'the snippet loads the SDK, under a policy with its hash and Trusted Types': (context) =>
      loadedBySnippet(context, '', `'sha256-${createHash('sha256').update(snippet).digest('base64')}' 'self'`),
  },
};

function startLater(endpoint: string): string {
  return `import * as sdk from '/sdk/index.js';
    self.ServiceSDK = sdk;
    sdk.init({ apiKey: 'pk_browsers', endpoint: ${JSON.stringify(endpoint)} });`;
}

/** Runs in the page. */
function loadStart(): void {
  const script = document.createElement('script');
  script.type = 'module';
  script.src = 'start.js';
  document.body.append(script);
}

async function loadedBySnippet({ add, tab, page, sink }: TestContext, nonce: string, allowed: string): Promise<void> {
  const { origin } = new URL(sink.endpoint);
  const policy = `default-src 'none'; img-src 'self'; script-src ${allowed} 'nonce-abc'; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types 'none'`;
  const data = `data-src="/sdk/index.js" data-api-key="pk_browsers" data-endpoint="${sink.endpoint}" data-release="1.2.0"`;
  await tab.goto(
    add({
      options: null,
      headers: { 'content-security-policy': policy },
      files: pageWith(`<script ${nonce} ${data}>${snippet}</script>`),
    }),
  );
  const happened = await page.run(() => self.happened);
  for (const { release } of inOrder(await sink.reports(3), happened)) expect(release).toBe('1.2.0');
  expect(await page.run(() => self.violations)).toEqual([]);
  expect(sink.posts()).toHaveLength(3);
}

/** Returns the reports in the order of their errors, and checks their times. Requests may arrive in another order. */
function inOrder(reports: ErrorReport[], messages: string[]): ErrorReport[] {
  expect(reports.map(({ message }) => message).toSorted()).toEqual(messages.toSorted());
  const sorted = messages.flatMap((message) => reports.find((report) => report.message === message) ?? []);
  const times = sorted.map(({ timestamp }) => timestamp);
  expect(times).toEqual(times.toSorted());
  return sorted;
}

/** Returns a page with the snippet and three errors, two of them in separate tasks. */
function pageWith(tag: string): Record<string, string> {
  const page = `<!doctype html><meta charset="utf-8"><title>A page</title>
    ${tag}
    <script nonce="abc">
      violations = [];
      happened = new Promise((resolve) => {
        const seen = [];
        const see = ({ error, reason }) => seen.push((error ?? reason).message) === 3 && resolve(seen);
        addEventListener('error', see);
        addEventListener('unhandledrejection', see);
      });
      addEventListener('securitypolicyviolation', ({ violatedDirective }) => violations.push(violatedDirective));
      Promise.reject(new RangeError('refused early'));
    </script>
    <script nonce="abc">throw new TypeError('no cart yet')</script>
    <script nonce="abc">throw new Error('nor a voucher')</script>`;
  return { 'index.html': page };
}

declare global {
  var happened: Promise<string[]>;
}
