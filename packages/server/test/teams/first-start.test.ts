import { afterEach, describe, expect, test } from 'vitest';
import { ensureOwner } from '../../src/teams/first-owner.ts';
import { createApp } from '../../src/app.ts';
import { parseConfig } from '../../src/config.ts';
import { createService } from '../../src/index.ts';
import type { Log, StorageDriver } from '../../src/store/log/storage-driver.ts';
import { openDriver } from '../../src/storage/open-driver.ts';
import { openServices } from '../../src/services.ts';
import { openFileDriver } from '../../src/storage/file/file.ts';
import { openStore } from '../../src/store/store.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';

const loginAs = (email: string, password: string | null | undefined): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email, password }),
});

/** Opens a storage in memory whose writes fail while `isFailing` is set. */
async function openFailing(): Promise<{ driver: StorageDriver; isFailing: boolean }> {
  const driver = await openDriver('memory:');
  const storage = { driver, isFailing: false };
  const log: Log = {
    dropped: driver.log.dropped,
    read: () => driver.log.read(),
    append: (...batch) =>
      storage.isFailing ? Promise.reject(new Error('no space left')) : driver.log.append(...batch),
    readAt: (...pointer) => driver.log.readAt(...pointer),
    seal: () => driver.log.seal(),
    dropBefore: (number) => driver.log.dropBefore(number),
    get sizeBytes() {
      return driver.log.sizeBytes;
    },
  };
  storage.driver = { ...driver, log };
  return storage;
}

describe('the first start', () => {
  afterEach(cleanUp);

  test('a sign-in waits until the password of the first owner is hashed', async () => {
    const services = await openServices(parseConfig({ storage: 'memory:', adminPassword: 'correct horse battery' }));
    const login = loginAs('admin@localhost', 'correct horse battery');
    expect((await createApp(services).request('/api/v1/auth/login', login)).status).toBe(200);
    await services.close();
  });

  test('the next start generates a new password if the first stopped before showing it', async () => {
    const folder = await temporaryFolder();
    const options = { retentionReports: 1, retentionDays: 90, now: Date.now, warn: () => undefined };
    const store = await openStore(await openFileDriver(folder), options);
    await ensureOwner(store, parseConfig({ adminEmail: 'me@shop.example' }));
    await store.close();

    const service = await createService({ storage: `file:${folder}`, logLevel: 'silent' });
    expect(service.firstStart?.email).toBe('me@shop.example');
    const login = loginAs('me@shop.example', service.firstStart?.password);
    expect((await service.app.request('/api/v1/auth/login', login)).status).toBe(200);
    await service.close();
    const again = await createService({ storage: `file:${folder}`, logLevel: 'silent' });
    expect(again.firstStart).toBeNull();
    await again.close();
  });

  test('the first start retries in the background while the storage fails', async () => {
    const storage = await openFailing();
    const config = parseConfig({ storage: 'memory:', adminPassword: 'correct horse battery', logLevel: 'silent' });
    const services = await openServices(config, { driver: storage.driver });
    storage.isFailing = true;
    const app = createApp(services);
    const login = loginAs('admin@localhost', 'correct horse battery');
    await expect(services.ownerSetup.attempt).rejects.toThrow('storage');
    expect((await app.request('/api/v1/auth/login', login)).status).toBe(503);
    expect((await app.request('/healthz')).status).toBe(200);
    storage.isFailing = false;
    expect(await services.ownerSetup.done).toEqual({ email: 'admin@localhost', password: null });
    expect((await app.request('/api/v1/auth/login', login)).status).toBe(200);
    await services.close();
  });

  test('close() ends a first start whose storage fails', async () => {
    const storage = await openFailing();
    const config = parseConfig({ storage: 'memory:', logLevel: 'silent' });
    const services = await openServices(config, { driver: storage.driver });
    storage.isFailing = true;
    await expect(services.ownerSetup.attempt).rejects.toThrow('storage');
    await services.close();
    expect(await services.ownerSetup.done).toBeNull();
  });
});
