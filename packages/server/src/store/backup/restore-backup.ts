import { randomUUID } from 'node:crypto';
import { encodeBatch } from '../log/batch.ts';
import type { Batch, RestorableDriver } from '../log/storage-driver.ts';
import type { Written } from '../records/entry.ts';
import { endSessionsSetting, historySetting } from '../records/setting-records.ts';
import type { BackupPart, BlobPart } from './backup-file.ts';

export interface RestoreOptions {
  /** True if the next start ends all sessions of the backup. */
  endsSessions?: boolean;
}

const endSessionsEntry: Written = {
  entry: { kind: 'put', table: 'settings', record: { id: endSessionsSetting, value: 'yes' } },
  body: null,
};

/**
 * Replaces the content of a storage by that of a backup. The replacement is atomic and happens once the backup is
 * durable in the storage. If this rejects or the process is killed before that, the storage keeps its old content.
 */
export async function restoreBackup(
  driver: RestorableDriver,
  parts: AsyncIterable<BackupPart>,
  { endsSessions = false }: RestoreOptions = {},
): Promise<void> {
  const known = new Set(await driver.blobs.names());
  const added: string[] = [];
  const addBlob = async (name: string, pieces: AsyncIterable<Uint8Array>): Promise<void> => {
    // Names are never reused, so a blob of this name has the same content.
    if (known.has(name)) return;
    added.push(name);
    await driver.blobs.putPieces(name, pieces);
  };
  try {
    await driver.replaceLog((first) => batchesOf(parts, first, addBlob, endsSessions));
  } catch (error) {
    await Promise.allSettled(added.map((name) => driver.blobs.remove(name)));
    throw error;
  }
  // The next start removes blobs that nothing refers to any more.
}

async function* batchesOf(
  parts: AsyncIterable<BackupPart>,
  first: number,
  addBlob: (name: string, pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  endsSessions: boolean,
): AsyncGenerator<Batch> {
  const rest = parts[Symbol.asyncIterator]();
  try {
    for (let next = await rest.next(); !next.done; next = await rest.next()) {
      const part = next.value;
      if (part.kind === 'batch') yield part;
      if (part.kind !== 'blob') continue;
      const pieces = piecesOf(part, rest);
      await addBlob(part.name, pieces);
      // Skip the pieces of a blob that already exists.
      for await (const piece of pieces) void piece;
    }
  } finally {
    await rest.return?.();
  }
  yield encodeBatch([
    { entry: { kind: 'put', table: 'settings', record: { id: historySetting, value: randomUUID() } }, body: null },
    ...(endsSessions ? [endSessionsEntry] : []),
    { entry: { kind: 'generation', first }, body: null },
  ]);
}

/** Yields the pieces of a blob, beginning with the one that was already read. */
async function* piecesOf(first: BlobPart, rest: AsyncIterator<BackupPart>): AsyncGenerator<Uint8Array> {
  for (let part = first; ;) {
    yield part.bytes;
    if (part.isLast) return;
    // `readBackup` has verified that another piece of this blob follows.
    part = (await rest.next()).value as BlobPart;
  }
}
