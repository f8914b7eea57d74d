import { build } from 'esbuild';
import { expect } from 'vitest';
import type { TestContext } from '../test-context.ts';
import type { Sink } from '../sink.ts';
import type { SdkPromise } from '../sdk-promise.ts';

let bundled: Promise<string> | undefined;

/** Bundles `@sentry/browser` as a script with a global, like Sentry's own CDN build. */
async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: `export * from '@sentry/browser'`, resolveDir: import.meta.dirname },
    bundle: true,
    format: 'iife',
    globalName: 'Sentry',
    write: false,
    logLevel: 'error',
  });
  return outputFiles[0]?.text ?? '';
}

export const sentry: SdkPromise = {
  promise: 'Next to @sentry/browser in the same page, both SDKs report each error once',
  cases: {
    'Sentry is started first': async (context) => {
      await openWithSentry(context, 'before');
      await expectBothReported(context);
    },

    'Sentry is started second': async (context) => {
      await openWithSentry(context, 'after');
      await expectBothReported(context);
    },

    'Sentry is started second, and the SDK is then closed': async (context) => {
      const { page, sink } = context;
      await openWithSentry(context, 'after');
      await page.run(() => ServiceSDK.close());
      await page.run(failTwice);
      await expect.poll(() => reportedToSentry(sink)).toEqual(both);
      expect(sink.posts()).toEqual([]);
    },
  },
};

const both = ['RangeError: unhandled', 'TypeError: uncaught'];

async function openWithSentry({ open, sink }: TestContext, order: 'before' | 'after'): Promise<void> {
  const dsn = `${sink.endpoint.replace('//', '//key@')}/1`;
  await open({
    html: `<button>Buy</button>${order === 'before' ? sentryTags : ''}`,
    files: { 'sentry.js': await (bundled ??= bundle()), 'start.js': `Sentry.init({ dsn: ${JSON.stringify(dsn)} });` },
    ...(order === 'after' && { script: writeTags }),
  });
}

const sentryTags = '<script src="sentry.js"></script><script src="start.js"></script>';

function writeTags(): void {
  document.write('<script src="sentry.js"></script><script src="start.js"></script>');
}

async function expectBothReported({ tab, page, sink }: TestContext): Promise<void> {
  await tab.click('button');
  await page.run(async () => {
    console.log('a line');
    history.pushState(null, '', '?step=2');
    await fetch('init.js');
  });
  await page.run(failTwice);
  const reports = await sink.reports(2);
  await page.flush();
  expect(sink.posts()).toHaveLength(2);
  expect(reports.map(({ type, message }) => `${type}: ${message}`).toSorted()).toEqual(both);
  await expect.poll(() => reportedToSentry(sink)).toEqual(both);

  const { breadcrumbs = [] } = reports.find(({ message }) => message === 'uncaught') ?? {};
  const steps = breadcrumbs.map(({ category, data }) => `${category} ${data.url ?? ''}`.trim());
  // Sentry's own request is a request of the page.
  expect(steps.filter((step) => !step.includes('/envelope/'))).toEqual([
    'click',
    'console',
    'history',
    expect.stringMatching(/^fetch .*init\.js$/),
  ]);
}

/**
 * Runs in the page. The rejection comes in a later task: Sentry ignores further errors of the turn in which it caught
 * one.
 */
function failTwice(): void {
  const reject = (): void => void Promise.reject(new RangeError('unhandled'));
  addEventListener('error', () => setTimeout(reject), { once: true });
  setTimeout(function checkout() {
    throw new TypeError('uncaught');
  });
}

/** Returns type and message of each error in Sentry's envelopes, sorted. An envelope consists of lines of JSON. */
function reportedToSentry({ requests }: Sink): string[] {
  return requests
    .filter(({ method, url }) => method === 'POST' && url.includes('/envelope/'))
    .flatMap(({ body }) =>
      body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as SentryEvent),
    )
    .flatMap(({ exception }) => exception?.values ?? [])
    .map(({ type, value }) => `${type}: ${value}`)
    .toSorted();
}

interface SentryEvent {
  exception?: { values: { type: string; value: string }[] };
}
