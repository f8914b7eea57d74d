// The examples with frameworks: installed by npm from the registry and the tarball of the SDK, built by their own tool,
// and opened in Chromium. They take minutes, so they run in `npm run test:full` only.
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, type Packed } from '../../packages/browser/test/packed.ts';
import { startSinkServer, type Sink, type SinkServer } from '../browsers/sink.ts';
import { expectOneReportEach, openFieldPage } from '../published/field-page.ts';
import { installExample, serveFolder, type FieldProject } from '../published/field-project.ts';
import { hasChromium, launchChromium } from '../test-utils/chromium.mjs';
import { isFull } from '../test-utils/depth.ts';

const uncaughtButtons = ['throw', 'reject', 'capture'];

// Angular, SvelteKit and Nuxt need this version.
const hasNode22 = parseInt(process.versions.node) >= 22;
if (isFull && !hasNode22)
  console.warn('Angular, SvelteKit and Nuxt need Node.js 22, so their examples are not tested.');

/** The examples that are built into a folder: name, folder, prefix of their variables, buttons, and component. */
const builtExamples = [
  ['angular', 'www', '', [...uncaughtButtons, 'timer', 'render'], undefined],
  ['nuxt', '.output/public', '', [...uncaughtButtons, 'render'], 'NuxtErrorBoundary'],
  ['sveltekit', 'build', 'VITE_', [...uncaughtButtons, 'load'], undefined],
] as const;

const settingsOf = (prefix: string, { endpoint }: Sink): Record<string, string> => ({
  [`${prefix}SERVICE_KEY`]: 'pk_field',
  [`${prefix}SERVICE_URL`]: endpoint,
});

describe.runIf(isFull && hasChromium)('an example with a framework', { timeout: 900_000 }, () => {
  let packed: Packed;
  let sinks: SinkServer;
  let browser: Browser;

  beforeAll(async () => {
    [packed, sinks, browser] = await Promise.all([pack(), startSinkServer(), launchChromium()]);
  });

  afterAll(async () => {
    await Promise.all([browser?.close(), sinks?.close(), packed?.remove()]);
  });

  /** Opens a served example, presses its buttons, and expects a report for each. Resolves with the reports. */
  async function pressButtons(url: string, sink: Sink, buttons: readonly string[]) {
    const output = await openFieldPage(browser, url, sink);
    const reports = await expectOneReportEach(output, sink, [...buttons]);
    await output.page.close();
    return reports;
  }

  test.runIf(hasNode22).each(builtExamples)(
    '%s: one report an error, no warning',
    async (name, folder, prefix, buttons, component) => {
      const project = await installExample(name, packed.tarball);
      const sink = sinks.open();
      await project.script('build', settingsOf(prefix, sink));
      const site = await serveFolder(join(project.folder, folder));
      const reports = await pressButtons(`${site.url}/`, sink, buttons);
      expect(reports.at(-1)?.metadata?.componentName).toBe(component);
      await site.stop();
      await project.remove();
    },
  );

  describe('next', () => {
    const address = ['--hostname', '127.0.0.1', '--port', '0'];
    let project: FieldProject;
    beforeAll(async () => {
      project = await installExample('next', packed.tarball);
    }, 900_000);
    afterAll(() => project?.remove());

    test('served for development: one report an error, no warning', async () => {
      const sink = sinks.open();
      const site = await project.serve('start', address, settingsOf('NEXT_PUBLIC_', sink));
      // The first request builds the page.
      await (await fetch(site.url)).text();
      expect(await pressButtons(`${site.url}/`, sink, [...uncaughtButtons, 'render'])).toHaveLength(4);
      await site.stop();
    });

    test('built: one report an error, and an error page reports', async () => {
      const sink = sinks.open();
      const output = await project.script('build', settingsOf('NEXT_PUBLIC_', sink));
      expect(output).not.toContain('[ServiceSDK]');
      const site = await project.serve('serve', address);
      expect(await pressButtons(`${site.url}/`, sink, [...uncaughtButtons, 'render'])).toHaveLength(4);
      sink.requests.length = 0;
      expect(await pressButtons(`${site.url}/route`, sink, ['capture', 'render'])).toHaveLength(2);
      await site.stop();
    });
  });
});
