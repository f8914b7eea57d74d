import type { Log } from './driver.ts';
import { bodyHeaderBytes, readFrameBody } from './frame.ts';
import type { LogPointer } from '../model/stored-reports.ts';

/** Bodies that are at most this far apart are read at once. */
const maxGapBytes = 16 * 1024;
const maxReadBytes = 1024 * 1024;
const maxParallelReads = 4;

interface Run {
  position: number;
  start: number;
  end: number;
  places: LogPointer[];
}

/**
 * Reads the bodies of many stored reports; null for a damaged one. Adjacent bodies take one read: after a compaction, those
 * of a hundred groups. Rejects if the storage can't be read.
 */
export async function readReportBodies(
  log: Log,
  places: readonly LogPointer[],
): Promise<Map<LogPointer, Buffer | null>> {
  const bodies = new Map<LogPointer, Buffer | null>();
  const runs = runsOf(places);
  const readNext = async (): Promise<void> => {
    for (let run = runs.pop(); run; run = runs.pop()) await readRun(log, run, bodies);
  };
  await Promise.all(Array.from({ length: maxParallelReads }, readNext));
  return bodies;
}

async function readRun(log: Log, { position, start, end, places }: Run, to: Map<LogPointer, Buffer | null>) {
  const bytes = await log.readAt(position, start, end - start);
  const read = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const place of places) {
    const offset = place.offset - bodyHeaderBytes - start;
    const body = readFrameBody(read.subarray(offset, offset + bodyHeaderBytes + place.length));
    to.set(place, body?.length === place.length ? body : null);
  }
}

function runsOf(places: readonly LogPointer[]): Run[] {
  const runs: Run[] = [];
  for (const place of places.toSorted((a, b) => a.position - b.position || a.offset - b.offset)) {
    const start = place.offset - bodyHeaderBytes;
    const end = place.offset + place.length;
    const run = runs.at(-1);
    if (run?.position === place.position && start - run.end <= maxGapBytes && end - run.start <= maxReadBytes) {
      run.places.push(place);
      run.end = end;
    } else {
      runs.push({ position: place.position, start, end, places: [place] });
    }
  }
  return runs;
}
