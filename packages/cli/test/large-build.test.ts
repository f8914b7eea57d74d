import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { afterEach, describe, expect, test } from 'vitest';
import { adminToken, startServer } from '../../../test/test-utils/server-process.ts';
import { freePort } from '../../../test/test-utils/free-port.ts';
import { runCli } from './run-cli.ts';
import { isFull } from '../../../test/test-utils/depth.ts';

const mapCount = isFull ? 300 : 30;
const mapBytes = isFull ? 40_000_000 : 4_000_000;
const maxMemoryBytes = 150_000_000;
const peakMemory = fileURLToPath(new URL('peak-memory.mjs', import.meta.url));
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

/** Writes scripts with maps that together have the size of a large build. */
async function writeBuild(folder: string): Promise<void> {
  await mkdir(folder);
  const lines = (index: number): string =>
    Array.from(
      { length: 40 },
      (_, line) =>
        `export const total${line} = (items: number[]) => items.reduce((sum, item) => sum + item * ${index + line}, 0);`,
    ).join('\n');
  for (let index = 0; index < mapCount; index++) {
    const source = lines(index);
    const built = await transform(source, {
      loader: 'ts',
      minify: true,
      sourcefile: `src/part${index}.ts`,
      sourcemap: 'external',
    });
    const map = JSON.parse(built.map) as { sourcesContent: string[] };
    // The rest of the size is a comment, as in sources with licenses.
    const missing = Math.max(0, Math.floor(mapBytes / mapCount) - built.map.length);
    map.sourcesContent[0] += `\n// ${'license '.repeat(Math.floor(missing / 8))}`;
    await writeFile(join(folder, `part${index}.js`), built.code);
    await writeFile(join(folder, `part${index}.js.map`), JSON.stringify(map));
  }
}

async function storedMaps(url: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/projects/1/source-maps?size=1`, {
    headers: { Authorization: `Bearer ${adminToken}` },
  });
  return ((await response.json()) as { total: number }).total;
}

describe(`an upload of ${mapCount} maps`, () => {
  test('takes little memory, survives a killed server, and uploads nothing the second time', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'large-build-'));
    cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
    await writeBuild(join(folder, 'dist'));
    const port = await freePort();
    const storage = `file:${join(folder, 'data')}`;
    let server = await startServer(storage, [], { SERVICE_PORT: String(port) });
    const { url } = server;
    cleanups.push(() => server.kill());
    const env = { SERVICE_ENDPOINT: url, SERVICE_TOKEN: adminToken };
    expect((await runCli(['projects', 'create', 'Shop'], env)).code).toBe(0);

    const memoryFile = join(folder, 'memory');
    const upload = ['sourcemaps', 'upload', join(folder, 'dist'), '--release', '1', '--json'];
    const running = runCli(upload, { ...env, NODE_OPTIONS: `--import=${peakMemory}`, PEAK_MEMORY_FILE: memoryFile });
    await expect
      .poll(() => storedMaps(url), { timeout: 240_000, interval: 50 })
      .toBeGreaterThanOrEqual(Math.floor(mapCount / 3));
    await server.kill();
    server = await startServer(storage, [], { SERVICE_PORT: String(port) });
    const first = await running;
    expect(first.code, first.stderr).toBe(0);
    const { results } = JSON.parse(first.stdout) as { results: { status: string }[] };
    expect(results).toHaveLength(mapCount);
    expect(await storedMaps(url)).toBe(mapCount);
    const peakBytes = Number(await readFile(memoryFile, 'utf8'));
    process.stdout.write(
      `upload of ${mapCount} maps, ${mapBytes / 1e6} MB: peak memory ${Math.round(peakBytes / 1e6)} MB\n`,
    );
    expect(peakBytes).toBeLessThanOrEqual(maxMemoryBytes);

    const second = await runCli(upload, env);
    expect(
      (JSON.parse(second.stdout) as typeof first & { results: { status: string }[] }).results.filter(
        ({ status }) => status !== 'unchanged',
      ),
    ).toEqual([]);
  }, 600_000);
});
