import { expect, test } from 'vitest';
import { StorageRoom } from '../../../src/store/log/storage-room.ts';

const mb = 1024 * 1024;

/** A disk of 100 MB whose log has the given size, all of it state. */
function startRoom(logMb: number) {
  const log = { sizeBytes: logMb * mb, roomBytes: async () => 100 * mb - log.sizeBytes };
  const warnings: string[] = [];
  const room = new StorageRoom(
    log,
    () => logMb * mb,
    (_, message) => warnings.push(message),
  );
  return { log, room, warnings };
}

test('a storage counts as full once a compaction would no longer fit', async () => {
  const { log, room, warnings } = startRoom(40);
  await room.measure();
  expect(room.isFull).toBe(false);
  log.sizeBytes += 10 * mb;
  room.update();
  expect(room.isFull).toBe(true);
  expect(() => room.assertFree()).toThrow('full');
  expect(warnings.at(-1)).toContain('the storage is full: 50 MB are free');
});

test('a compaction writes to the space that is reserved for it', async () => {
  const { log, room } = startRoom(40);
  await room.measure();
  await room.duringCompaction(async () => {
    log.sizeBytes += 40 * mb;
    await room.measure();
    expect(room.isFull).toBe(false);
  });
  room.update();
  expect(room.isFull).toBe(true);
});

test('a full storage accepts other writes until the rest of its room is needed for deletions', async () => {
  // A compaction of 42 MB needs 50.4 MB, and 4 MB to spare.
  const { log, room } = startRoom(42);
  log.sizeBytes = 46 * mb;
  await room.measure();
  expect(room.isFull).toBe(true);
  expect(() => room.assertWritable()).not.toThrow();
  log.sizeBytes = 47.5 * mb;
  expect(() => room.assertFree()).toThrow('full');
  expect(() => room.assertWritable()).not.toThrow();
  log.sizeBytes = 48 * mb;
  expect(() => room.assertWritable()).toThrow('full');
});
