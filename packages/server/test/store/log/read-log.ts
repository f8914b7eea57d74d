import type { StorageDriver } from '../../../src/store/log/storage-driver.ts';

/** Reads all batches of a log as texts, in order. */
export async function readLog({ log }: StorageDriver): Promise<[number, string][]> {
  const batches: [number, string][] = [];
  for await (const { number, bytes } of log.read()) batches.push([number, Buffer.from(bytes).toString()]);
  return batches;
}
