import { build } from 'esbuild';
import { expect } from 'vitest';
import type { Scene } from '../scene.ts';
import type { Sink } from '../sink.ts';
import type { Promised } from './promised.ts';

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
    'started before ours': (scene) => beside(scene, 'before'),
    'started after ours': (scene) => beside(scene, 'after'),
  },
};

async function beside({ open, sink, tab, page }: Scene, order: 'before' | 'after'): Promise<void> {
  const dsn = sink.endpoint.replace('//', '//key@') + '/1';
  const start = `Sentry.init({ dsn: ${JSON.stringify(dsn)} });
    // What a page does that has both: it tells each who its user is.
    Sentry.setUser({ id: '7' });`;
  const tags = '<script src="sentry.js"></script>\n<script src="start.js"></script>';
  const files = { 'sentry.js': await bundle(), 'start.js': start };
  await open({
    html: `<button>Buy</button>${order === 'before' ? tags : ''}`,
    files,
    ...(order === 'before'
      ? {}
      : {
          script: () => {
            for (const src of ['sentry.js', 'start.js']) document.write(`<script src="${src}"></script>`);
          },
        }),
  });
  await tab.click('button');
  await page.run(async () => {
    console.log('a line');
    history.pushState(null, '', '?step=2');
    await fetch('init.js');
    setTimeout(function checkout() {
      throw new TypeError('uncaught');
    });
    // Sentry hears nothing more in the turn in which it has caught an error.
    setTimeout(() => Promise.reject(new RangeError('unhandled')), 50);
  });
  const reports = await sink.reports(2);
  await page.flush();
  expect(sink.posts()).toHaveLength(2);
  const uncaught = reports.find(({ message }) => message === 'uncaught');
  expect(reports.map(({ type, message }) => `${type}: ${message}`).toSorted()).toEqual([
    'RangeError: unhandled',
    'TypeError: uncaught',
  ]);
  const kinds = uncaught?.breadcrumbs?.map(({ category, data }) => `${category} ${data.url ?? ''}`.trim());
  expect(kinds?.filter((kind) => !kind.includes('/envelope/')).toSorted()).toEqual([
    'click',
    'console',
    expect.stringMatching(/^fetch .*init\.js$/),
    'history',
  ]);
  await expect.poll(() => sentToSentry(sink).toSorted()).toEqual(['RangeError: unhandled', 'TypeError: uncaught']);
}

/** Class and message of each error in the envelopes that came: lines of JSON, of which an event is one. */
function sentToSentry({ requests }: Sink): string[] {
  return requests
    .filter(({ method, url }) => method === 'POST' && url.includes('/envelope/'))
    .flatMap(({ body }) =>
      body
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line) as SentryEvent),
    )
    .flatMap(({ exception }) => exception?.values ?? [])
    .map(({ type, value }) => `${type}: ${value}`);
}

interface SentryEvent {
  exception?: { values: { type: string; value: string }[] };
}
