import { expect, vi } from 'vitest';
import type { TestContext } from '../context.ts';
import { planSettings } from '../payment-events.ts';
import type { Suite } from '../suite.ts';

async function countAccepted(context: TestContext, count: number): Promise<number> {
  const responses = await Promise.all(Array.from({ length: count }, () => context.report()));
  return responses.filter(({ status }) => status === 200).length;
}

/** Plans, and the usage of teams. */
export const billing: Suite = {
  name: 'plans and usage',
  tests: [
    {
      title: 'a self-hosted server has one plan, without limits',
      covers: ['billing.plans', 'billing.plans.unlimited', 'billing.plans.self_hosted'],
      async run(context) {
        const plans = await context.send(200, 'GET', 'billing/plans');
        expect(plans).toMatchObject([{ id: 'self_hosted', error_quota: null, ai_quota: null }]);
        expect(Object.keys(plans[0]).toSorted()).toEqual(
          ['id', 'name', 'price', 'currency', 'error_quota', 'ai_quota'].toSorted(),
        );
        const { plan, errors, ai } = await context.send(200, 'GET', 'billing/usage');
        expect([plan, errors.quota, ai.quota]).toEqual(['self_hosted', null, null]);
        expect((await context.send(200, 'GET', 'auth/me')).team.plan).toBe('self_hosted');
      },
    },
    {
      title: 'the settings define the plans and the default plan',
      covers: ['billing.plans.settings', 'billing.plans'],
      settings: planSettings,
      async run(context) {
        expect(await context.send(200, 'GET', 'billing/plans')).toEqual(planSettings.plans);
        expect(await context.send(200, 'GET', 'billing/usage')).toMatchObject({ plan: 'free' });
      },
    },
    {
      title: 'the quota settings override the quotas of the default plan',
      covers: ['billing.plans.quotas'],
      settings: { ...planSettings, errorQuota: 7, aiQuota: 1 },
      async run(context) {
        const [free, ...rest] = await context.send(200, 'GET', 'billing/plans');
        expect(free).toMatchObject({ id: 'free', error_quota: 7, ai_quota: 1 });
        expect(rest).toEqual(planSettings.plans.slice(1));
        const { errors, ai } = await context.send(200, 'GET', 'billing/usage');
        expect([errors.quota, ai.quota]).toEqual([7, 1]);
      },
    },
    {
      title: 'accepted and rejected reports are counted exactly, even over a restart',
      covers: ['billing.usage', 'billing.usage.exact', 'billing.usage.refused', 'billing.usage.restart'],
      settings: { errorQuota: 20 },
      needsOwnServer: true,
      async run(context) {
        const fresh = await context.send(200, 'GET', 'billing/usage');
        expect(fresh).toEqual({
          plan: 'self_hosted',
          period_start: expect.any(String),
          period_end: expect.any(String),
          errors: { used: 0, quota: 20, refused: 0, refused_since: null },
          ai: { used: 0, quota: null },
          storage: {
            state: 'ok',
            used_bytes: 0,
            project_limit_bytes: 10_737_418_240,
            largest_project: null,
            not_stored: 0,
          },
          address_limits: { reports_per_minute: 120_000, bytes_per_minute: 536_870_912 },
        });
        const [before, accepted] = [Date.now(), await countAccepted(context, 33)];
        expect(accepted).toBe(20);
        const { errors } = await context.send(200, 'GET', 'billing/usage');
        expect(errors).toEqual({ used: 20, quota: 20, refused: 13, refused_since: expect.stringMatching(/\.\d{3}Z$/) });
        expect(Date.parse(errors.refused_since)).toBeGreaterThanOrEqual(before - 1);
        expect(Date.parse(errors.refused_since)).toBeLessThanOrEqual(Date.now() + 1);
        expect(await countAccepted(context, 4)).toBe(0);
        // Invalid reports fail validation, which does not count as rejected by the quota.
        await context.report({ message: 5 });
        await context.report({ project_api_key: 'x' });
        if (context.target.isPersistent) await context.restart();
        expect((await context.send(200, 'GET', 'billing/usage')).errors).toEqual({ ...errors, refused: 17 });
      },
    },
    {
      title: 'the usage covers the projects of one team',
      covers: ['billing.usage.team'],
      needsOwnServer: true,
      async run(context) {
        const token = await context.fixture('stranger');
        for (const _ of [1, 2]) {
          const { api_key } = await context.createProject();
          await context.createReport({ project_api_key: api_key });
        }
        expect((await context.send(200, 'GET', 'billing/usage')).errors.used).toBe(2);
        expect((await context.send(200, 'GET', 'billing/usage', { token })).errors.used).toBe(0);
      },
    },
    {
      title: 'the usage is reset at the start of each UTC month',
      covers: ['billing.usage.period', 'billing.usage.reset', 'billing.usage'],
      settings: { errorQuota: 2 },
      controlsClock: true,
      async run(context) {
        vi.setSystemTime(Date.UTC(2028, 1, 29, 23, 59, 59, 999));
        expect(await countAccepted(context, 5)).toBe(2);
        const february = await context.send(200, 'GET', 'billing/usage');
        expect(february).toMatchObject({
          period_start: '2028-02-01T00:00:00.000Z',
          period_end: '2028-03-01T00:00:00.000Z',
          errors: { used: 2, refused: 3, refused_since: '2028-02-29T23:59:59.999Z' },
        });
        vi.setSystemTime(Date.UTC(2028, 2, 1));
        expect(await context.send(200, 'GET', 'billing/usage')).toMatchObject({
          period_start: '2028-03-01T00:00:00.000Z',
          period_end: '2028-04-01T00:00:00.000Z',
          errors: { used: 0, refused: 0, refused_since: null },
        });
        expect(await countAccepted(context, 3)).toBe(2);
        expect((await context.send(200, 'GET', 'billing/usage')).errors).toMatchObject({ used: 2, refused: 1 });
      },
    },
  ],
};
