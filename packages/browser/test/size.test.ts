// @vitest-environment node
/// <reference types="node" />
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { rollup, type ModuleFormat, type Plugin } from 'rollup';
import { expect, test, vi } from 'vitest';
import manifest from '../package.json' with { type: 'json' };

const maxBytes = 3_000;
// Building takes seconds where other tests run beside it.
vi.setConfig({ testTimeout: 30_000 });

interface Config {
  input: string;
  compiled: Plugin;
  minified(toplevel: boolean): Plugin;
}

/** The default entry as it is published, built from the source as it is now. */
async function build(format: ModuleFormat): Promise<string> {
  const { input, compiled, minified } = await vi.importActual<Config>('../rollup.config.mjs');
  const bundle = await rollup({ input, plugins: [compiled] });
  const { output } = await bundle.generate({ format, name: 'ServiceSDK', plugins: [minified(format === 'es')] });
  await bundle.close();
  return output[0].code;
}

test(`the default entry is at most ${maxBytes.toLocaleString('en')} bytes, gzipped`, async () => {
  const code = await build('es');
  const bytes = gzipSync(code, { level: 9 }).length;
  process.stdout.write(`@service/browser: ${bytes.toLocaleString('en')} B gzip\n`);
  expect(bytes).toBeLessThanOrEqual(maxBytes);
  expect(code).not.toMatch(/\bimport\b/);
  // The version that reports carry.
  expect(code).toContain(JSON.stringify(manifest.version));
});

test('the script for pages without a bundler leaves one global', async () => {
  const page: Record<string, object> = {};
  runInNewContext(await build('iife'), page);
  expect(Object.keys(page)).toEqual(['ServiceSDK']);
  expect(new Set(Object.keys(page.ServiceSDK ?? {}))).toEqual(
    new Set([
      'init',
      'close',
      'flush',
      'captureException',
      'captureMessage',
      'addBreadcrumb',
      'setUser',
      'setMetadata',
    ]),
  );
});
