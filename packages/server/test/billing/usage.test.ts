import type { Plan, Project, Usage } from '@service/protocol';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { setPlan } from '../../src/billing/set-plan.ts';
import { monthOf } from '../../src/store/records/month.ts';
import { machineTiming, type Timing } from '../../src/time/timing.ts';
import { cleanUp, describeService, temporaryFolder } from '../test-utils/describe-service.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

const free: Plan = { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 3, ai_quota: 5 };
const pro: Plan = { ...free, id: 'pro', name: 'Pro', price: 1900, error_quota: 5, ai_quota: null };
const hosted = { plan: 'free', plans: [free, pro] };

describeService('GET /billing/usage', (start, driver) => {
  test('GET /billing/usage counts accepted and rejected reports exactly, also after a restart', async () => {
    const { call, report, restart } = await start(hosted);
    const usage = async (): Promise<Usage> => (await call<Usage>('GET', 'billing/usage')).body;
    const before = await usage();
    expect(before).toEqual({
      plan: 'free',
      period_start: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      period_end: expect.stringMatching(/^\d{4}-\d\d-01T00:00:00\.000Z$/),
      errors: { used: 0, quota: 3, refused: 0, refused_since: null },
      ai: { used: 0, quota: 5 },
      storage: {
        state: 'ok',
        used_bytes: 0,
        project_limit_bytes: 10_737_418_240,
        largest_project: null,
        not_stored: 0,
      },
      address_limits: { reports_per_minute: 120_000, bytes_per_minute: 536_870_912 },
    });
    expect(Date.parse(before.period_end)).toBeGreaterThan(Date.parse(before.period_start));
    const responses = await Promise.all(Array.from({ length: 20 }, () => report()));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(3);
    const { errors } = await usage();
    expect(errors).toEqual({ used: 3, quota: 3, refused: 17, refused_since: expect.stringMatching(/\.\d{3}Z$/) });
    await report();
    // A restart empties a storage in memory, and the quota with it.
    if (driver === 'file:') await restart();
    expect((await usage()).errors).toEqual({ ...errors, refused: 18 });
  });
});

describe('the AI quota', () => {
  afterEach(cleanUp);

  test('AI units are counted exactly during concurrent reports, and refunded to the month of their use', async () => {
    let now = Date.UTC(2026, 10, 30, 23, 59);
    const storage = `file:${await temporaryFolder()}`;
    let service = await openService({ errorQuota: 5, storage }, { now: () => now });
    const { store } = service.services;
    const month = monthOf(now);
    const { api_key } = (await service.call<Project>('POST', 'projects', { body: { name: 'Shop' } })).body;
    const report = async (): Promise<number> =>
      (await service.call('POST', 'errors', { token: null, body: { project_api_key: api_key, message: 'It broke' } }))
        .status;
    /** Uses one unit of the AI quota. Resolves with false if the quota is used up. */
    const useAiUnit = (): Promise<boolean> =>
      store.commit((transaction) => {
        if (transaction.aiUsed(1) >= 3) return false;
        transaction.countAi(1, month, 1);
        return true;
      });
    const all = await Promise.all([
      useAiUnit(),
      report(),
      useAiUnit(),
      report(),
      store.flushQuotaDrops(),
      useAiUnit(),
      report(),
      useAiUnit(),
    ]);
    expect(all).toEqual([true, 200, true, 200, undefined, true, 200, false]);
    await Promise.all([report(), report(), report(), useAiUnit()]);
    const usage = async (): Promise<unknown[]> => {
      const { errors, ai } = (await service.call<Usage>('GET', 'billing/usage')).body;
      return [errors.used, errors.refused, ai.used];
    };
    expect(await usage()).toEqual([5, 1, 3]);
    await Promise.all([
      store.commit((transaction) => transaction.countAi(1, month, -1)),
      report(),
      store.flushQuotaDrops(),
    ]);
    expect(await usage()).toEqual([5, 2, 2]);

    now += 120_000;
    await store.commit((transaction) => transaction.countAi(1, month, -1));
    expect(await usage()).toEqual([0, 0, 0]);
    await store.compact();
    await service.close();
    service = await openService({ errorQuota: 5, storage }, { now: () => now });
    expect(await usage()).toEqual([0, 0, 0]);
    now -= 120_000;
    expect(await usage()).toEqual([5, 2, 1]);
    await service.close();
  });
});

describe('rejected reports', () => {
  afterEach(cleanUp);

  async function createReporter(service: OpenService): Promise<(count?: number) => Promise<number[]>> {
    const { api_key } = (await service.call<Project>('POST', 'projects', { body: { name: 'Shop' } })).body;
    const sendOne = async (): Promise<number> =>
      (await service.call('POST', 'errors', { token: null, body: { project_api_key: api_key, message: 'It broke' } }))
        .status;
    return (count = 1) => Promise.all(Array.from({ length: count }, sendOne));
  }

  const errorsOf = async ({ call }: OpenService): Promise<Usage['errors']> =>
    (await call<Usage>('GET', 'billing/usage')).body.errors;

  test('rejected reports are written to the log in one batch per second', async () => {
    let tick = (): void => undefined;
    const timing: Timing = {
      ...machineTiming,
      every(_ms, work) {
        tick = work;
        return () => undefined;
      },
    };
    const service = await openService({ errorQuota: 0 }, { timing });
    const { model } = service.services.store;
    const report = await createReporter(service);
    const { batchNumber } = model;
    for (let round = 0; round < 20; round++) await report(10);
    expect(model.batchNumber).toBe(batchNumber);
    tick();
    await vi.waitFor(() => expect(model.batchNumber).toBe(batchNumber + 1));
    expect((await errorsOf(service)).refused).toBe(200);
    expect(model.batchNumber).toBe(batchNumber + 1);
    await service.close();
  });

  test('rejected reports are counted per month, also across a change of plan', async () => {
    let now = Date.UTC(2026, 10, 30, 23, 59, 59);
    const storage = `file:${await temporaryFolder()}`;
    let service = await openService({ ...hosted, storage }, { now: () => now });
    const report = await createReporter(service);
    await report(5);
    now += 500;
    await report(2);
    const november = { used: 3, quota: 3, refused: 4, refused_since: '2026-11-30T23:59:59.000Z' };
    expect(await errorsOf(service)).toEqual(november);
    await setPlan(service.services, '1', 'pro');
    expect(await report(3)).toEqual([200, 200, 429]);
    expect(await errorsOf(service)).toEqual({ ...november, used: 5, quota: 5, refused: 5 });
    await report();
    now += 500;
    expect(await errorsOf(service)).toEqual({ used: 0, quota: 5, refused: 0, refused_since: null });
    await report(6);
    // The last rejected report of November was written together with those of December.
    await service.services.store.compact();
    await service.close();
    service = await openService({ ...hosted, storage }, { now: () => now });
    expect(await errorsOf(service)).toMatchObject({ used: 5, refused: 1, refused_since: '2026-12-01T00:00:00.000Z' });
    now -= 500;
    expect(await errorsOf(service)).toMatchObject({ used: 5, refused: 6 });
    await service.close();
  });

  test('rejected reports in one batch with other writes are counted exactly', async () => {
    const service = await openService({ errorQuota: 1_000 });
    const report = await createReporter(service);
    await report(1_000);
    await Promise.all([report(30), errorsOf(service), report(30), errorsOf(service)]);
    expect(await errorsOf(service)).toMatchObject({ used: 1_000, refused: 60 });
    await service.close();
  });
});
