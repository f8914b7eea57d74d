import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Script } from './find-scripts.ts';
import { withInlineMap } from './inline-map.ts';
import type { RawSourceMap } from './raw-source-map.ts';

/** Replaces a script and its map, which may be inline. A script without a map stays without one. */
export async function replaceScript(
  script: Script,
  { code, map }: { code: string; map: RawSourceMap | null },
): Promise<void> {
  if (script.map.kind === 'file') await replaceFile(script.map.path, JSON.stringify(map));
  await replaceFile(script.path, script.map.kind === 'inline' && map ? withInlineMap(code, map) : code);
}

/** Replaces a file with one that is whole at any time, even if the process is killed. Its permissions stay. */
async function replaceFile(path: string, text: string): Promise<void> {
  const { mode } = await stat(path);
  const temporary = `${path}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, text);
    await chmod(temporary, mode);
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
