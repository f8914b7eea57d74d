import { afterEach, describe, expect, test } from 'vitest';
import { ensureOwner } from '../src/accounts/first-owner.ts';
import { createApp } from '../src/app.ts';
import { parseConfig } from '../src/config.ts';
import { createService } from '../src/index.ts';
import { openServices } from '../src/services.ts';
import { openFileDriver } from '../src/store/drivers/file.ts';
import { openStore } from '../src/store/store.ts';
import { cleanUp, temporaryFolder } from './service.ts';

const loginAs = (email: string, password: string | null | undefined): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ email, password }),
});

describe('the first start', () => {
  afterEach(cleanUp);

  test('whoever signs in while the password is still being hashed waits for it', async () => {
    const services = await openServices(parseConfig({ storage: 'memory:', adminPassword: 'correct horse battery' }));
    const login = loginAs('admin@localhost', 'correct horse battery');
    expect((await createApp(services).request('/api/v1/auth/login', login)).status).toBe(200);
    await services.close();
  });

  test('that was cut short before the password was told is made good by the next one', async () => {
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
});
