import { encodeBatch } from '../batch.ts';
import type { Batch, RestorableDriver } from '../driver.ts';
import type { BackupPart } from './backup-file.ts';

/**
 * Puts what a backup holds in the place of all that a storage holds: in one moment, once all of it is durable. If it
 * rejects, or is killed before, the storage holds what it held.
 */
export async function restoreBackup(driver: RestorableDriver, parts: AsyncIterable<BackupPart>): Promise<void> {
  const known = new Set(await driver.blobs.names());
  const added: string[] = [];
  const addBlob = async (name: string, bytes: Uint8Array): Promise<void> => {
    // Names are never used again: what has this name is this.
    if (known.has(name)) return;
    added.push(name);
    await driver.blobs.put(name, bytes);
  };
  try {
    await driver.replaceLog((first) => batchesOf(parts, first, addBlob));
  } catch (error) {
    await Promise.allSettled(added.map((name) => driver.blobs.remove(name)));
    throw error;
  }
  // Blobs of which nobody knows any more are removed at the next start.
}

async function* batchesOf(
  parts: AsyncIterable<BackupPart>,
  first: number,
  addBlob: (name: string, bytes: Uint8Array) => Promise<void>,
): AsyncGenerator<Batch> {
  let pieces: Uint8Array[] = [];
  for await (const part of parts) {
    if (part.kind === 'batch') yield part;
    if (part.kind !== 'blob') continue;
    pieces.push(part.bytes);
    if (part.offset + part.bytes.length < part.size) continue;
    await addBlob(part.name, Buffer.concat(pieces));
    pieces = [];
  }
  yield encodeBatch([{ entry: { kind: 'generation', first }, body: null }]);
}
