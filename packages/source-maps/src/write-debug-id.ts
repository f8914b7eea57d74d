import { readScript, type Script } from './find-scripts.ts';
import { injectDebugId } from './inject-debug-id.ts';
import { insertStatement } from './insert-statement.ts';
import { replaceScript } from './replace-script.ts';

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
  await replaceScript(script, { code, map });
  return { debugId, isChanged: true };
}
