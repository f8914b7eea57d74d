import type { Log } from './storage-driver.ts';
import { bodyHeaderBytes, readFrameBody } from './batch-frame.ts';
import type { LogPointer } from '../model/log-pointer.ts';

/** Bodies are read together if the gap between them is at most this. */
const maxGapBytes = 16 * 1024;
const maxReadBytes = 1024 * 1024;
const maxParallelReads = 4;

interface Run {
  position: number;
  start: number;
  end: number;
  pointers: LogPointer[];
}

/**
 * Reads the bodies of many stored reports. The value of a damaged one is null. Adjacent bodies take one read: after a
 * compaction, that covers the reports of a hundred groups. Rejects if the storage can't be read.
 */
export async function readReportBodies(
  log: Log,
  pointers: readonly LogPointer[],
): Promise<Map<LogPointer, Buffer | null>> {
  const bodies = new Map<LogPointer, Buffer | null>();
  const runs = runsOf(pointers);
  const readNext = async (): Promise<void> => {
    for (let run = runs.pop(); run; run = runs.pop()) await readRun(log, run, bodies);
  };
  await Promise.all(Array.from({ length: maxParallelReads }, readNext));
  return bodies;
}

async function readRun(log: Log, { position, start, end, pointers }: Run, to: Map<LogPointer, Buffer | null>) {
  const bytes = await log.readAt(position, start, end - start);
  const read = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const pointer of pointers) {
    const offset = pointer.offset - bodyHeaderBytes - start;
    const body = readFrameBody(read.subarray(offset, offset + bodyHeaderBytes + pointer.length));
    to.set(pointer, body?.length === pointer.length ? body : null);
  }
}

function runsOf(pointers: readonly LogPointer[]): Run[] {
  const runs: Run[] = [];
  for (const pointer of pointers.toSorted((a, b) => a.position - b.position || a.offset - b.offset)) {
    const start = pointer.offset - bodyHeaderBytes;
    const end = pointer.offset + pointer.length;
    const run = runs.at(-1);
    if (run?.position === pointer.position && start - run.end <= maxGapBytes && end - run.start <= maxReadBytes) {
      run.pointers.push(pointer);
      run.end = end;
    } else {
      runs.push({ position: pointer.position, start, end, pointers: [pointer] });
    }
  }
  return runs;
}
