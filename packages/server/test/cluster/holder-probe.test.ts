import { afterEach, expect, test } from 'vitest';
import { serveOnLoopback } from '../../../../test/test-utils/serve-on-loopback.ts';
import { HolderProbe } from '../../src/cluster/holder-probe.ts';
import type { Peer } from '../../src/storage/postgres/postgres-lease.ts';

const cleanups: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of cleanups.splice(0)) await close();
});

test('a holder that stops responding is unreachable, and reachable again once it responds', async () => {
  let isSilent = false;
  let probes = 0;
  let calls = 0;
  const { url, close } = await serveOnLoopback((_request, response) => {
    probes++;
    if (!isSilent) response.end('{"status":"ok"}');
  });
  const holder = { id: 'holder', address: new URL(url).origin, secret: 'peer secret', isReady: true } as Peer;
  const probe = new HolderProbe(
    () => holder,
    () => expect.unreachable('The holder refuses no connection.'),
    () => void calls++,
  );
  cleanups.push(close, () => probe.close());
  await expect.poll(() => probes).toBeGreaterThan(3);
  expect(calls).toBe(0);
  isSilent = true;
  await expect.poll(() => calls).toBeGreaterThan(0);
  isSilent = false;
  const before = probes;
  await expect.poll(() => probes).toBeGreaterThan(before + 3);
  const afterwards = calls;
  await expect.poll(() => probes).toBeGreaterThan(before + 6);
  expect(calls).toBe(afterwards);
});
