import type { FileHandle } from 'node:fs/promises';
import type { Config } from '../config.ts';
import { readBackup, type BackupHeading, type BackupTotals } from '../store/backup/backup-file.ts';
import { takeBackup } from '../store/backup/take-backup.ts';
import { DamagedStorageError } from '../store/log/driver.ts';
import { Ledger } from '../store/log/ledger.ts';
import { machineTiming } from '../store/log/timing.ts';
import { callServer } from './call-server.ts';
import { CommandError } from './command-error.ts';
import { assertWritable, writeNewFile } from './new-file.ts';
import { inWords, Progress } from './progress.ts';
import { isRedis, openReader, openStopped, refuseMemory } from './stopped-storage.ts';

const attempts = 5;

export interface FileOptions {
  file: string;
  /** Whether something that is there may be replaced. */
  isForced: boolean;
}

/** Writes all that there is into a file. The running server gives it; where none runs, the storage does. */
export async function backup(config: Config, { file, isForced }: FileOptions): Promise<string> {
  refuseMemory(config.storage, 'back up');
  assertWritable(file, isForced);
  let written = { bytes: 0, totals: { projects: 0, groups: 0, source_maps: 0 } };
  const write = (): Promise<void> =>
    writeNewFile(file, isForced, async (handle) => {
      written = await copy(await source(config), handle, file);
    });
  for (let attempt = 1; ; attempt++) {
    try {
      await write();
      break;
    } catch (error) {
      // A server that frees space meanwhile, and of which we know nothing, takes what is being read away.
      const mayPass = isRedis(config.storage) && error instanceof DamagedStorageError;
      if (!mayPass || attempt === attempts) throw error;
    }
  }
  return `Backed up ${totalsInWords(written.totals)} to ${file} (${inWords(written.bytes)}).`;
}

/** Checked as it is written: what is in the file can be read again. */
async function copy(
  pieces: AsyncIterable<Buffer>,
  handle: FileHandle,
  file: string,
): Promise<{ bytes: number; totals: BackupTotals }> {
  const progress = new Progress();
  let bytes = 0;
  let heading: BackupHeading | null = null;
  let totals: BackupTotals | null = null;
  async function* written(): AsyncGenerator<Buffer> {
    for await (const piece of pieces) {
      await handle.writeFile(piece);
      bytes += piece.length;
      progress.tell(() => `${inWords(bytes)} of about ${inWords(Math.max(bytes, heading?.about_bytes ?? 0))}`);
      yield piece;
    }
  }
  try {
    for await (const part of readBackup(written(), file)) {
      if (part.kind === 'heading') ({ heading } = part);
      if (part.kind === 'end') ({ totals } = part);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    throw new CommandError('The server ended the backup before it was whole. Its log says why.', { cause: error });
  } finally {
    progress.end();
  }
  if (!totals) throw new CommandError('The backup has no end.');
  return { bytes, totals };
}

async function source({ storage, retentionReports }: Config): Promise<AsyncIterable<Buffer>> {
  const answer = await callServer(storage, '/backup');
  if (answer) return answer as AsyncIterable<Buffer>;
  return readStopped(storage, retentionReports);
}

async function* readStopped(storage: Config['storage'], retentionReports: number): AsyncGenerator<Buffer> {
  // Servers on other machines may write to a Redis at any moment: it is only read.
  const driver = isRedis(storage) ? await openReader(storage) : await openStopped(storage);
  try {
    const ledger = await Ledger.open(driver.log, retentionReports, Date.now);
    if (ledger.model.batchNumber === 0) throw new CommandError(`There is nothing in ${driver.name} yet.`);
    yield* takeBackup(
      { ledger, log: driver.log, blobs: driver.blobs },
      {
        now: Date.now,
        timing: machineTiming,
        warn: (error, message) => console.error(`service-server: ${message}: ${(error as Error).message}`),
        isStopped: () => false,
      },
    );
  } finally {
    await driver.close();
  }
}

export function totalsInWords({ projects, groups, source_maps }: BackupTotals): string {
  return `${counted(projects, 'project')}, ${counted(groups, 'group')} and ${counted(source_maps, 'source map')}`;
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}
