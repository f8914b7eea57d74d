import { expect } from 'vitest';
import type { Suite } from '../suite.ts';

const eventId = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** The error quota. */
export const quota: Suite = {
  name: 'quota',
  tests: [
    {
      title: 'with a quota of 25 exactly 25 of 60 concurrent reports are accepted',
      covers: ['quota.exact', 'quota.uncounted', 'problem.error_quota_exhausted', 'problem.report_429'],
      settings: { errorQuota: 25 },
      needsOwnServer: true,
      async run(context) {
        const responses = await Promise.all(Array.from({ length: 60 }, () => context.report()));
        expect(responses.filter(({ status }) => status === 200)).toHaveLength(25);
        const rejected = responses.filter(({ status }) => status !== 200);
        for (const { status, body } of rejected) expect([status, body.code]).toEqual([429, 'error_quota_exhausted']);
        const { items } = await context.send(200, 'GET', 'errors');
        expect(items).toMatchObject([{ count: 25 }]);
      },
    },
    {
      title: 'all projects of a team share the quota',
      covers: ['quota.exact'],
      settings: { errorQuota: 3 },
      needsOwnServer: true,
      async run(context) {
        const [one, other] = [await context.createProject(), await context.createProject()];
        const statuses = [];
        for (const { api_key } of [one, other, one, other, one])
          statuses.push((await context.report({ project_api_key: api_key })).status);
        expect(statuses).toEqual([200, 200, 200, 429, 429]);
        await context.send(204, 'DELETE', `projects/${one.id}`);
        expect((await context.report({ project_api_key: other.api_key })).status).toBe(429);
      },
    },
    {
      title: 'the quota is exact over a restart',
      covers: ['quota.restart', 'quota.exact'],
      settings: { errorQuota: 20 },
      needsOwnServer: true,
      targets: ['file', 'program'],
      async run(context) {
        const countAccepted = async (): Promise<number> =>
          (await Promise.all(Array.from({ length: 15 }, () => context.report()))).filter(({ status }) => status === 200)
            .length;
        expect(await countAccepted()).toBe(15);
        await context.restart();
        expect(await countAccepted()).toBe(5);
        await context.restart();
        expect(await countAccepted()).toBe(0);
      },
    },
    {
      title: 'rejected reports and repeats take no unit, and repeats work with an exhausted quota',
      covers: ['errors.repeat.uncounted', 'errors.repeat.no_quota', 'quota.last'],
      settings: { errorQuota: 2 },
      needsOwnServer: true,
      async run(context) {
        const first = await context.createReport({ event_id: eventId });
        for (let index = 0; index < 3; index++) {
          expect(await context.createReport({ event_id: eventId })).toEqual(first);
          expect((await context.report({ message: 5 })).status).toBe(422);
          expect((await context.report({ project_api_key: 'x' })).status).toBe(401);
          expect((await context.report({}, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
        }
        expect((await context.report()).status).toBe(200);
        const rejected = await context.report();
        expect([rejected.status, rejected.body.code]).toEqual([429, 'error_quota_exhausted']);
        expect(Number(rejected.headers.get('retry-after'))).toBeLessThanOrEqual(31 * 86_400);
        expect(await context.createReport({ event_id: eventId })).toEqual(first);
      },
    },
    {
      title: 'the quota is reset in the next month',
      covers: ['quota.exact'],
      settings: { errorQuota: 1 },
      controlsClock: true,
      async run(context) {
        const { vi } = await import('vitest');
        expect([(await context.report()).status, (await context.report()).status]).toEqual([200, 429]);
        vi.setSystemTime(Date.now() + 32 * 86_400_000);
        expect([(await context.report()).status, (await context.report()).status]).toEqual([200, 429]);
      },
    },
  ],
};
