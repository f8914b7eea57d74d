import { readFile } from 'node:fs/promises';
import { readScript, type Script } from './find-scripts.ts';
import { insertStatement } from './insert-statement.ts';
import { replaceScript } from './replace-script.ts';

/**
 * Writes a statement of one line at the beginning of a script, and moves the positions of its map if it has one.
 * Rejects with a MapError if the map is unreadable.
 */
export async function writeStatement(script: Script, statement: string): Promise<void> {
  const before =
    script.map.kind === 'missing' ? { code: await readFile(script.path, 'utf8'), map: null } : await readScript(script);
  const after = insertStatement(before, statement);
  if (after.code !== before.code) await replaceScript(script, after);
}
