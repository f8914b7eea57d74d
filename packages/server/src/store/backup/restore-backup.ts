import { randomUUID } from 'node:crypto';
import { encodeBatch } from '../log/batch.ts';
import type { Batch, RestorableDriver } from '../log/driver.ts';
import { historySetting } from '../records/records.ts';
import type { BackupPart, BlobPart } from './backup-file.ts';

/**
 * Puts what a backup holds in the place of all that a storage holds: in one moment, once all of it is durable. If it
 * rejects, or is killed before, the storage holds what it held.
 */
export async function restoreBackup(driver: RestorableDriver, parts: AsyncIterable<BackupPart>): Promise<void> {
  const known = new Set(await driver.blobs.names());
  const added: string[] = [];
  const addBlob = async (name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
    // Names are never used again: what has this name is this.
    if (known.has(name)) return;
    added.push(name);
    await driver.blobs.putPieces(name, pieces);
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
  addBlob: (name: string, pieces: AsyncIterable<Uint8Array>) => Promise<void>,
): AsyncGenerator<Batch> {
  const rest = parts[Symbol.asyncIterator]();
  try {
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const part = next.value;
      if (part.kind === 'batch') yield part;
      if (part.kind !== 'blob') continue;
      const pieces = piecesOf(part, rest);
      await addBlob(part.name, pieces);
      // Of one that is there already nobody has asked for them.
      for await (const piece of pieces) void piece;
    }
  } finally {
    await rest.return?.();
  }
  yield encodeBatch([
    { entry: { kind: 'put', table: 'settings', record: { id: historySetting, value: randomUUID() } }, body: null },
    { entry: { kind: 'generation', first }, body: null },
  ]);
}

/** The pieces of a blob, of which the first one has been read. */
async function* piecesOf(first: BlobPart, rest: AsyncIterator<BackupPart>): AsyncGenerator<Uint8Array> {
  for (let part = first; ;) {
    yield part.bytes;
    if (part.isLast) return;
    // What is read has been checked: another piece of this blob follows.
    part = (await rest.next()).value as BlobPart;
  }
}
