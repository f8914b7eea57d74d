import { build } from 'esbuild';
import { expect } from 'vitest';
import type { Scene } from '../scene.ts';
import type { Sink } from '../sink.ts';
import type { Promised } from './promised.ts';

let bundled: Promise<string> | undefined;

/** `@sentry/browser` as a script with a global, as its own site hands it out. */
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

export const sentry: Promised = {
  promise: 'Beside @sentry/browser in the same page both get each error once',
  cases: {
    'started before ours': async (scene) => {
      await openWithSentry(scene, 'before');
      await expectBothTold(scene);
    },

    'started after ours': async (scene) => {
      await openWithSentry(scene, 'after');
      await expectBothTold(scene);
    },

    'started after ours, which is then closed': async (scene) => {
      const { page, sink } = scene;
      await openWithSentry(scene, 'after');
      await page.run(() => ServiceSDK.close());
      await page.run(failTwice);
      await expect.poll(() => toldToSentry(sink)).toEqual(both);
      expect(sink.posts()).toEqual([]);
    },
  },
};

const both = ['RangeError: unhandled', 'TypeError: uncaught'];

async function openWithSentry({ open, sink }: Scene, order: 'before' | 'after'): Promise<void> {
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

async function expectBothTold({ tab, page, sink }: Scene): Promise<void> {
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
  await expect.poll(() => toldToSentry(sink)).toEqual(both);

  const { breadcrumbs = [] } = reports.find(({ message }) => message === 'uncaught') ?? {};
  const steps = breadcrumbs.map(({ category, data }) => `${category} ${data.url ?? ''}`.trim());
  // Sentry's own request is one of the page's.
  expect(steps.filter((step) => !step.includes('/envelope/'))).toEqual([
    'click',
    'console',
    'history',
    expect.stringMatching(/^fetch .*init\.js$/),
  ]);
}

/** In the page. Sentry hears nothing more in the turn in which it has caught an error: the rejection comes later. */
function failTwice(): void {
  const reject = (): void => void Promise.reject(new RangeError('unhandled'));
  addEventListener('error', () => setTimeout(reject), { once: true });
  setTimeout(function checkout() {
    throw new TypeError('uncaught');
  });
}

/** Class and message of each error in the envelopes that came, sorted. They are lines of JSON, of which an event is one. */
function toldToSentry({ requests }: Sink): string[] {
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
