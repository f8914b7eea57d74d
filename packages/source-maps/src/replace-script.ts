import { chmod, rename, rm, stat, writeFile } from 'node:fs/promises';
import type { Script } from './find-scripts.ts';
import { dataUrl, findMapReference } from './map-reference.ts';
import type { RawSourceMap } from './raw-source-map.ts';

/** Replaces a script and its map, which may be inline. A script without a map stays without one. */
export async function replaceScript(
  script: Script,
  { code, map }: { code: string; map: RawSourceMap | null },
): Promise<void> {
  const mapText = JSON.stringify(map);
  if (script.map.kind === 'file') await replaceFile(script.map.path, mapText);
  await replaceFile(script.path, script.map.kind === 'inline' ? withInlineMap(code, mapText) : code);
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

function withInlineMap(code: string, mapText: string): string {
  const reference = findMapReference(code);
  if (!reference || !dataUrl.test(reference.url)) return code;
  const url = `data:application/json;charset=utf-8;base64,${Buffer.from(mapText).toString('base64')}`;
  return `${code.slice(0, reference.start)}//# sourceMappingURL=${url}${code.slice(reference.end)}`;
}
