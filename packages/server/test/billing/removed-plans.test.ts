import type { Plan } from '@service/protocol';
import { afterEach, expect, test } from 'vitest';
import { setPlan } from '../../src/billing/set-plan.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { openService } from '../test-utils/open-service.ts';

afterEach(cleanUp);

const free: Plan = { id: 'free', name: 'Free', price: 0, currency: 'EUR', error_quota: 3, ai_quota: 5 };
const gold: Plan = { ...free, id: 'gold', name: 'Gold', price: 1900, error_quota: null };

test('a start logs one warning for each plan that teams have and the settings no longer define', async () => {
  const storage = `file:${await temporaryFolder()}`;
  const lines: string[] = [];
  const logTo = { write: (line: string): void => void lines.push(line) };
  const open = (plans: Plan[]) => openService({ storage, plan: 'free', plans, logLevel: 'warn' }, { logTo });
  const warnings = (): unknown[] => lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('gold'));
  const before = await open([free, gold]);
  await setPlan(before.services, '1', 'gold');
  await before.close();
  await (await open([free, gold])).close();
  expect(warnings()).toEqual([]);
  await (await open([free])).close();
  expect(warnings()).toMatchObject([{ plan: 'gold', teams: 1, used: 'free' }]);
});
