import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { service } from '../src/esbuild.ts';

test.each(['linked', 'inline'] as const)(
  'without a token, a script with a %s map of the user gets the release',
  async (sourcemap) => {
    const root = await mkdtemp(join(tmpdir(), 'esbuild-release-'));
    try {
      await writeFile(join(root, 'main.ts'), 'const total: number = 1;\nconsole.log(total);\n');
      await build({
        absWorkingDir: root,
        entryPoints: ['main.ts'],
        outfile: 'dist/main.js',
        sourcemap,
        logLevel: 'error',
        plugins: [service({ token: '', release: 'shop 7' })],
      });

      const code = await readFile(join(root, 'dist/main.js'), 'utf8');
      expect(code).toContain('globalThis.__serviceRelease="shop 7"');
      expect(code).not.toContain('debugId');
      const [, inline] = /;base64,(\S+)/.exec(code) ?? [];
      const map = inline ? Buffer.from(inline, 'base64') : await readFile(join(root, 'dist/main.js.map'));
      const lines = code.split('\n');
      const line = lines.findIndex((text) => text.includes('const total'));
      const column = lines[line]!.indexOf('const total');
      const trace = new TraceMap(map.toString());
      expect(originalPositionFor(trace, { line: line + 1, column })).toMatchObject({ line: 1, column: 0 });
    } finally {
      await rm(root, { recursive: true });
    }
  },
);

test.skipIf(process.platform === 'win32')('a program stays executable', async () => {
  const root = await mkdtemp(join(tmpdir(), 'esbuild-release-'));
  try {
    await writeFile(join(root, 'main.ts'), '#!/usr/bin/env node\nconsole.log(1);\n');
    const plugins = [service({ token: '', release: 'shop 7' })];
    await build({ absWorkingDir: root, entryPoints: ['main.ts'], outfile: 'dist/main.js', logLevel: 'error', plugins });

    expect(await readFile(join(root, 'dist/main.js'), 'utf8')).toContain('"shop 7"');
    expect((await stat(join(root, 'dist/main.js'))).mode & 0o111).toBe(0o111);
  } finally {
    await rm(root, { recursive: true });
  }
});
