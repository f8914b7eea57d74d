import { spawnSync } from 'node:child_process';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { randomBelow } from '../../../../test/test-utils/seeded-random.mjs';
import { createService } from '../../src/index.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { machineFiles, type Files, type OpenFile } from '../../src/storage/file/files.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { BusyStore, visibleState } from '../store/busy-store.ts';

afterEach(cleanUp);

type Call = 'open' | 'append' | 'datasync' | 'rename' | 'syncFolder' | 'remove';

/** The files of the machine, with calls that fail while they are in `failing`. */
class FailingFiles implements Files {
  failing = new Set<Call>();
  code = 'EIO';
  /** True if half of the bytes are written before the failure. */
  writesHalf = false;

  async open(path: string, flags: 'r' | 'w'): Promise<OpenFile> {
    if (flags !== 'r') this.#check('open');
    const file = await machineFiles.open(path, flags);
    return {
      read: (buffer, offset, length, position) => file.read(buffer, offset, length, position),
      append: async (bytes) => {
        const whole = bytes instanceof Uint8Array ? bytes : Buffer.concat(bytes);
        if (this.failing.has('append') && this.writesHalf) await file.append(whole.subarray(0, whole.length / 2));
        this.#check('append');
        await file.append(whole);
      },
      datasync: async () => {
        this.#check('datasync');
        await file.datasync();
      },
      size: () => file.size(),
      close: () => file.close(),
    };
  }

  readdir(path: string): Promise<string[]> {
    return machineFiles.readdir(path);
  }

  async remove(path: string): Promise<void> {
    this.#check('remove');
    await machineFiles.remove(path);
  }

  async rename(from: string, to: string): Promise<void> {
    this.#check('rename');
    await machineFiles.rename(from, to);
  }

  async syncFolder(path: string): Promise<void> {
    this.#check('syncFolder');
    await machineFiles.syncFolder(path);
  }

  #check(call: Call): void {
    if (this.failing.has(call)) throw Object.assign(new Error(`${this.code}: ${call} failed`), { code: this.code });
  }
}

const faults: [name: string, code: string, calls: Call[], writesHalf: boolean][] = [
  ['a full disk', 'ENOSPC', ['append', 'open'], false],
  ['a full disk that writes a part', 'ENOSPC', ['append'], true],
  ['a disk that cannot be written', 'EIO', ['append'], false],
  ['a sync that fails', 'EIO', ['datasync'], false],
  ['a folder that cannot be synced', 'EIO', ['datasync', 'syncFolder'], false],
  ['a read-only folder', 'EROFS', ['append', 'open', 'rename', 'remove'], false],
];

test.each(faults)(
  'with %s, reports are rejected with storage_unavailable, and afterwards the server recovers',
  async (_, code, calls, writesHalf) => {
    const folder = await temporaryFolder();
    const files = Object.assign(new FailingFiles(), { code, writesHalf });
    const busy = await BusyStore.open(await openFileDriver(folder, files), randomBelow(1));
    const project = await busy.addProject();
    for (let round = 0; round < 3; round++) {
      for (let kind = 0; kind < 5; kind++) await busy.report(project, kind);
      const before = await visibleState(busy);
      files.failing = new Set(calls);
      for (let attempt = 0; attempt < 3; attempt++)
        await expect(busy.report(project, 9)).rejects.toMatchObject({ code: 'storage_unavailable' });
      await expect(busy.store.compact()).rejects.toThrow(code);
      expect(await visibleState(busy)).toEqual(before);
      files.failing.clear();
      await busy.report(project, 5 + round);
      expect(await busy.store.isReady()).toBe(true);
      await busy.store.compact();
    }
    const last = await visibleState(busy);
    await busy.store.close();
    await busy.reopen(await openFileDriver(folder));
    expect(await visibleState(busy)).toEqual(last);
    await busy.store.close();
  },
);

test('without the room that a compaction needs, reports are rejected and deletions work', async () => {
  let free = 1e9;
  const files: Files = { ...machineFiles, freeBytes: async () => free };
  const folder = await temporaryFolder();
  const busy = await BusyStore.open(await openFileDriver(folder, files), randomBelow(1));
  const project = await busy.addProject();
  const group = await busy.report(project, 1);
  free = 5_000;
  const before = busy.store.model.batchNumber;
  await expect(busy.store.compact()).rejects.toThrow('no room for the state');
  expect(busy.store.model.batchNumber).toBe(before);
  await expect(busy.report(project, 1)).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(await busy.store.isReady()).toBe(false);
  await busy.store.commit((transaction) => {
    const known = transaction.group(group);
    if (known) transaction.removeGroup(known);
  });
  expect(busy.store.model.groups.get(group)).toBeUndefined();
  free = 1e9;
  expect(await busy.store.isReady()).toBe(true);
  await busy.report(project, 1);
  await busy.store.close();
});

/** Mounts a small file system. Resolves with its folder and a function that unmounts it, or null without permission. */
async function smallDisk(): Promise<{ folder: string; remove: () => void } | null> {
  const folder = await temporaryFolder();
  if (!succeeds('mount', '-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', folder)) return null;
  return { folder, remove: () => void succeeds('umount', '-l', folder) };
}

/** Makes a folder read-only. Resolves with a function that makes it writable again, or null if that is not possible. */
async function makeReadOnly(folder: string): Promise<(() => Promise<void>) | null> {
  if (process.getuid?.() !== 0) {
    await chmod(folder, 0o500);
    return () => chmod(folder, 0o700);
  }
  // Permissions do not restrict root, so mount the folder read-only.
  if (!succeeds('mount', '--bind', folder, folder)) return null;
  const unmount = async (): Promise<void> => void succeeds('umount', '-l', folder);
  if (succeeds('mount', '-o', 'remount,ro,bind', folder)) return unmount;
  await unmount();
  return null;
}

function succeeds(command: string, ...words: string[]): boolean {
  return spawnSync(command, words).status === 0;
}

async function startService(storage: string, key?: string) {
  const adminToken = 'a-token-of-the-owner';
  const service = await createService({ storage, adminToken, adminPassword: 'a password', logLevel: 'silent' });
  const post = (path: string, body: object): Promise<Response> =>
    service.fetch(
      new Request(`http://127.0.0.1:4400/api/v1/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const project = key ? null : ((await (await post('projects', { name: 'Shop' })).json()) as { api_key: string });
  const api_key = key ?? project?.api_key ?? '';
  return {
    service,
    key: api_key,
    report: async (): Promise<number> =>
      (await post('errors', { project_api_key: api_key, message: 'It broke', stacktrace: 'x'.repeat(20_000) })).status,
  };
}

describe.skipIf(process.platform !== 'linux')('a real file system', () => {
  test('a server on a full disk responds with 503, and with 200 after space is freed', async ({ skip }) => {
    const disk = await smallDisk();
    if (!disk) return skip('a file system cannot be mounted here, so no disk is filled');
    try {
      await writeFile(join(disk.folder, 'ballast'), Buffer.alloc(2_950_000));
      const { service, report } = await startService(`file:${join(disk.folder, 'data')}`);
      const statuses = new Set<number>();
      for (let count = 0; count < 5_000 && statuses.size < 2; count++) statuses.add(await report());
      expect([...statuses]).toEqual([200, 503]);
      await rm(join(disk.folder, 'ballast'));
      expect(await report()).toBe(200);
      await service.close();
    } finally {
      disk.remove();
    }
  });

  test('a server on a read-only folder responds with 503, and with 200 after it is writable', async ({ skip }) => {
    const folder = await temporaryFolder();
    const first = await startService(`file:${folder}`);
    expect(await first.report()).toBe(200);
    await first.service.close();
    const makeWritable = await makeReadOnly(join(folder, 'log'));
    if (!makeWritable) return skip('no folder can be made read-only here');
    try {
      const { service, report } = await startService(`file:${folder}`, first.key);
      expect(await report()).toBe(503);
      expect(await report()).toBe(503);
      await makeWritable();
      expect(await report()).toBe(200);
      await service.close();
    } finally {
      await makeWritable();
    }
  });
});

test('a server without requests becomes ready again after its disk recovers', async () => {
  const files = Object.assign(new FailingFiles(), { code: 'ENOSPC' });
  const busy = await BusyStore.open(await openFileDriver(await temporaryFolder(), files), randomBelow(1));
  const project = await busy.addProject();
  files.failing = new Set<Call>(['append', 'open']);
  await expect(busy.report(project, 1)).rejects.toMatchObject({ code: 'storage_unavailable' });
  expect(await busy.store.isReady()).toBe(false);
  files.failing.clear();
  // The disk is checked at an interval, not with each call of isReady().
  expect(await busy.store.isReady()).toBe(false);
  busy.elapsedMs = 2_000;
  expect(await busy.store.isReady()).toBe(true);
  await busy.report(project, 1);
  await busy.store.close();
});
