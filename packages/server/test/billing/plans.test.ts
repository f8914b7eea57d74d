import type { Plan, Project } from '@service/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import { setPlan } from '../../src/billing/set-plan.ts';
import { cleanUp, describeInMemory, temporaryFolder } from '../test-utils/describe-service.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

const free: Plan = { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 3, ai_quota: 0 };
const pro: Plan = { id: 'pro', name: 'Pro', price: 1900, currency: 'EUR', error_quota: 5, ai_quota: null };
const hosted = { plan: 'free', plans: [free, pro] };

describeInMemory('GET /billing/plans', (start) => {
  test('GET /billing/plans returns one unlimited plan on a self-hosted server', async () => {
    const { call } = await start();
    const { status, body } = await call('GET', 'billing/plans');
    expect([status, body]).toEqual([
      200,
      [{ id: 'self_hosted', name: 'Self-hosted', price: 0, currency: 'EUR', error_quota: null, ai_quota: null }],
    ]);
    expect((await call('GET', 'billing/plans', { token: null })).body.code).toBe('missing_token');
    expect((await call('GET', 'billing/plans?x=1')).status).toBe(422);
  });

  test('GET /billing/plans returns the configured plans, and separate quota settings override the default plan', async () => {
    const { call } = await start({ ...hosted, errorQuota: 7, aiQuota: 1 });
    expect((await call('GET', 'billing/plans')).body).toEqual([{ ...free, error_quota: 7, ai_quota: 1 }, pro]);
  });
});

describe('the plan of a team', () => {
  afterEach(cleanUp);

  async function report({ call }: OpenService, count = 1): Promise<number[]> {
    const { body: projects } = await call<Project[]>('GET', 'projects');
    const project = projects[0] ?? (await call<Project>('POST', 'projects', { body: { name: 'Shop' } })).body;
    const sendOne = async (): Promise<number> => {
      const body = { project_api_key: project.api_key, message: 'It broke' };
      return (await call('POST', 'errors', { token: null, body })).status;
    };
    return Promise.all(Array.from({ length: count }, sendOne));
  }

  const acceptedCount = (statuses: number[]): number => statuses.filter((status) => status === 200).length;

  test('a new plan of a team applies immediately, and used reports stay used', async () => {
    const storage = `file:${await temporaryFolder()}`;
    let service = await openService({ ...hosted, storage });
    expect(acceptedCount(await report(service, 20))).toBe(3);
    expect(await setPlan(service.services, '1', 'pro')).toEqual({ team: { id: 1, name: 'Operator' }, plan: pro });
    expect(acceptedCount(await report(service, 20))).toBe(2);
    await service.close();
    service = await openService({ ...hosted, storage });
    expect(acceptedCount(await report(service))).toBe(0);
    await setPlan(service.services, 'Operator', 'free');
    expect(acceptedCount(await report(service))).toBe(0);
    await service.close();
    // A team whose plan was removed from the configuration gets the default plan.
    service = await openService({ storage });
    expect(acceptedCount(await report(service, 4))).toBe(4);
    await service.close();
  });

  test('setPlan rejects unknown teams, ambiguous team names and unknown plans', async () => {
    const { services, close } = await openService(hosted);
    await expect(setPlan(services, '2', 'pro')).rejects.toThrow('There is no team with this id or exact name.');
    await expect(setPlan(services, 'operator', 'pro')).rejects.toThrow('There is no team');
    await expect(setPlan(services, '1', 'gold')).rejects.toThrow('The plans are: free, pro.');
    await services.store.commit((transaction) =>
      transaction.put('teams', { id: transaction.nextId('teams'), name: 'Operator', created_at: '' }),
    );
    await expect(setPlan(services, 'Operator', 'pro')).rejects.toThrow('Several teams have this name.');
    expect((await setPlan(services, '2', 'pro')).team.id).toBe(2);
    await close();
  });

  test('the error of setPlan lists team names without control characters', async () => {
    const { services, close } = await openService(hosted);
    const name = 'Shop\u001B[2J\u009B1m\n\u202E\u2028';
    await services.store.commit((transaction) =>
      transaction.put('teams', { id: transaction.nextId('teams'), name, created_at: '' }),
    );
    await expect(setPlan(services, 'Unknown', 'pro')).rejects.toThrow(
      'The teams are: 1 (Operator), 2 (Shop\u{FFFD}[2J\u{FFFD}1m\u{FFFD}\u{FFFD}\u{FFFD}).',
    );
    await close();
  });
});
