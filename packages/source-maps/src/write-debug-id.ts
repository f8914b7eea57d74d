import { rename, writeFile } from 'node:fs/promises';
import { dataUrl, findMapReference } from './map-reference.ts';
import { readScript, type Script } from './find-scripts.ts';
import { injectDebugId } from './inject-debug-id.ts';
import { insertStatement } from './insert-statement.ts';

export interface WriteDebugIdOptions {
  /** A further statement to insert at the beginning of the script. */
  statement?: string | null;
}

/**
 * Writes a debug id into a script and its map, unless nothing would change. Rejects with a MapError if the map is
 * missing, unreadable or of another build.
 */
export async function writeDebugId(
  script: Script,
  { statement = null }: WriteDebugIdOptions = {},
): Promise<{ debugId: string; isChanged: boolean }> {
  const { code: before, map: original } = await readScript(script);
  const inserted =
    statement === null ? { code: before, map: original } : insertStatement({ code: before, map: original }, statement);
  const { debugId, isChanged, code, map } = injectDebugId(inserted);
  if (!isChanged && inserted.code === before) return { debugId, isChanged };
  const mapText = JSON.stringify(map);
  if (script.map.kind === 'file') await replaceFile(script.map.path, mapText);
  await replaceFile(script.path, script.map.kind === 'inline' ? withInlineMap(code, mapText) : code);
  return { debugId, isChanged: true };
}

/** Writes a file that is whole at any time, even if the process is killed. */
async function replaceFile(path: string, text: string): Promise<void> {
  const temporary = `${path}.${process.pid}.tmp`;
  await writeFile(temporary, text);
  await rename(temporary, path);
}

function withInlineMap(code: string, mapText: string): string {
  const reference = findMapReference(code);
  if (!reference || !dataUrl.test(reference.url)) return code;
  const url = `data:application/json;charset=utf-8;base64,${Buffer.from(mapText).toString('base64')}`;
  return `${code.slice(0, reference.start)}//# sourceMappingURL=${url}${code.slice(reference.end)}`;
}
