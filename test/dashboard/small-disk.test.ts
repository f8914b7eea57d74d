import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Usage } from '@service/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { hasChromium } from '../test-utils/chromium.mjs';
import { useDashboard } from './context.ts';

const diskMb = 8;
const disk = mkdtempSync(join(tmpdir(), 'service-small-disk-'));
const isMounted =
  hasChromium && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${diskMb}m`, 'tmpfs', disk]).status === 0;

afterAll(() => {
  if (isMounted) spawnSync('umount', ['-l', disk]);
  rmdirSync(disk);
});

/** Returns a text that compression shrinks by a quarter only. */
const noise = (length: number): string =>
  Array.from({ length }, () => String.fromCharCode(35 + Math.random() * 57)).join('');

// On some machines, a file system can't be mounted.
describe.skipIf(!isMounted)('the dashboard of a server with a small disk', () => {
  const dashboard = useDashboard({}, disk);

  test('shows the bytes of stored reports, and warns before the storage is full and while it is', async () => {
    const { id, api_key } = await dashboard.createProject('Shop');
    const state = async (): Promise<string> => (await dashboard.api<Usage>('GET', '/billing/usage')).storage.state;
    const fillUntil = async (wanted: string): Promise<void> => {
      const report = () =>
        dashboard.report(api_key, {
          fingerprint: [noise(20)],
          metadata: Object.fromEntries(['a', 'b', 'c', 'd'].map((name) => [name, noise(8_000)])),
        });
      for (let sent = 0; sent < 200 && (await state()) !== wanted; sent++)
        await Promise.all([report(), report(), report(), report()]);
      expect(await state()).toBe(wanted);
    };
    const page = await dashboard.open('/');
    await page.getByText('Live').waitFor();
    expect(await page.getByText('The storage of the server').count()).toBe(0);
    await fillUntil('low');
    await page.getByText('The storage of the server will soon be full.').waitFor();
    await fillUntil('full');
    await page.getByText('The storage of the server is full: reports and source maps are rejected.').waitFor();

    await page.getByRole('link', { name: 'Usage', exact: true }).click();
    await page.getByText('Stored reports of Shop').waitFor();
    await page.getByText('of 10.0 GB').waitFor();
    await page.getByText('An IP address can send 120,000 reports and 512.0 MB a minute.').waitFor();
    await dashboard.api('DELETE', `/projects/${id}`);
    await page.getByText('The storage of the server').waitFor({ state: 'detached' });
  });
});
