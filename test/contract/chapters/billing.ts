import { expect, vi } from 'vitest';
import type { Chapter } from '../chapter.ts';
import type { Scene } from '../scene.ts';
import { catalogue } from '../payment-events.ts';

async function rush(scene: Scene, count: number): Promise<number> {
  const answers = await Promise.all(Array.from({ length: count }, () => scene.report()));
  return answers.filter(({ status }) => status === 200).length;
}

/** What teams may use, and what they have used. */
export const billing: Chapter = {
  name: 'plans and usage',
  tests: [
    {
      title: 'on a server of one’s own there is one plan, without limits',
      proves: ['billing.plans', 'billing.plans.unlimited', 'billing.plans.self_hosted'],
      async run(scene) {
        const plans = await scene.get(200, 'GET', 'billing/plans');
        expect(plans).toMatchObject([{ id: 'self_hosted', error_quota: null, ai_quota: null }]);
        expect(Object.keys(plans[0]).toSorted()).toEqual(
          ['id', 'name', 'price', 'currency', 'error_quota', 'ai_quota'].toSorted(),
        );
        const { plan, errors, ai } = await scene.get(200, 'GET', 'billing/usage');
        expect([plan, errors.quota, ai.quota]).toEqual(['self_hosted', null, null]);
        expect((await scene.get(200, 'GET', 'auth/me')).team.plan).toBe('self_hosted');
      },
    },
    {
      title: 'the settings hold the plans, and which of them teams have',
      proves: ['billing.plans.settings', 'billing.plans'],
      settings: catalogue,
      async run(scene) {
        expect(await scene.get(200, 'GET', 'billing/plans')).toEqual(catalogue.plans);
        expect(await scene.get(200, 'GET', 'billing/usage')).toMatchObject({ plan: 'free' });
      },
    },
    {
      title: 'two settings say what the default plan allows',
      proves: ['billing.plans.quotas'],
      settings: { ...catalogue, errorQuota: 7, aiQuota: 1 },
      async run(scene) {
        const [free, ...rest] = await scene.get(200, 'GET', 'billing/plans');
        expect(free).toMatchObject({ id: 'free', error_quota: 7, ai_quota: 1 });
        expect(rest).toEqual(catalogue.plans.slice(1));
        const { errors, ai } = await scene.get(200, 'GET', 'billing/usage');
        expect([errors.quota, ai.quota]).toEqual([7, 1]);
      },
    },
    {
      title: 'what is taken and what is refused is counted, exactly, and over a restart',
      proves: ['billing.usage', 'billing.usage.exact', 'billing.usage.refused', 'billing.usage.restart'],
      settings: { errorQuota: 20 },
      isAlone: true,
      async run(scene) {
        const fresh = await scene.get(200, 'GET', 'billing/usage');
        expect(fresh).toEqual({
          plan: 'self_hosted',
          period_start: expect.any(String),
          period_end: expect.any(String),
          errors: { used: 0, quota: 20, refused: 0, refused_since: null },
          ai: { used: 0, quota: null },
        });
        const [before, taken] = [Date.now(), await rush(scene, 33)];
        expect(taken).toBe(20);
        const { errors } = await scene.get(200, 'GET', 'billing/usage');
        expect(errors).toEqual({ used: 20, quota: 20, refused: 13, refused_since: expect.stringMatching(/\.\d{3}Z$/) });
        expect(Date.parse(errors.refused_since)).toBeGreaterThanOrEqual(before - 1);
        expect(Date.parse(errors.refused_since)).toBeLessThanOrEqual(Date.now() + 1);
        expect(await rush(scene, 4)).toBe(0);
        // What is no report is not refused, it is wrong.
        await scene.report({ message: 5 });
        await scene.report({ project_api_key: 'x' });
        if (scene.isLasting) await scene.restart();
        expect((await scene.get(200, 'GET', 'billing/usage')).errors).toEqual({ ...errors, refused: 17 });
      },
    },
    {
      title: 'the usage is that of the whole team, and of no other one',
      proves: ['billing.usage.team'],
      isAlone: true,
      async run(scene) {
        const token = await scene.know('stranger');
        for (const _ of [1, 2]) {
          const { api_key } = await scene.newProject();
          await scene.accepted({ project_api_key: api_key });
        }
        expect((await scene.get(200, 'GET', 'billing/usage')).errors.used).toBe(2);
        expect((await scene.get(200, 'GET', 'billing/usage', { token })).errors.used).toBe(0);
      },
    },
    {
      title: 'a period is a month of UTC, and the next one begins with nothing',
      proves: ['billing.usage.period', 'billing.usage.turn', 'billing.usage'],
      settings: { errorQuota: 2 },
      turnsClock: true,
      async run(scene) {
        vi.setSystemTime(Date.UTC(2028, 1, 29, 23, 59, 59, 999));
        expect(await rush(scene, 5)).toBe(2);
        const february = await scene.get(200, 'GET', 'billing/usage');
        expect(february).toMatchObject({
          period_start: '2028-02-01T00:00:00.000Z',
          period_end: '2028-03-01T00:00:00.000Z',
          errors: { used: 2, refused: 3, refused_since: '2028-02-29T23:59:59.999Z' },
        });
        vi.setSystemTime(Date.UTC(2028, 2, 1));
        expect(await scene.get(200, 'GET', 'billing/usage')).toMatchObject({
          period_start: '2028-03-01T00:00:00.000Z',
          period_end: '2028-04-01T00:00:00.000Z',
          errors: { used: 0, refused: 0, refused_since: null },
        });
        expect(await rush(scene, 3)).toBe(2);
        expect((await scene.get(200, 'GET', 'billing/usage')).errors).toMatchObject({ used: 2, refused: 1 });
      },
    },
  ],
};
