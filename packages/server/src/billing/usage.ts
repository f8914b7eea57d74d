import type { Usage } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import type { Services } from '../services.ts';
import { teamUsage } from '../plans/team-usage.ts';

/**
 * Resolves with the usage of the caller's team this month. It includes every report that already has a response, unless
 * the storage can't be written.
 */
export async function readUsage(services: Services, { teamId }: Caller): Promise<Usage> {
  const { store, log } = services;
  // If the storage can't be written, the last known numbers are still readable.
  await store
    .flushQuotaDrops()
    .catch((error: unknown) => log.warn({ err: error }, 'reports rejected by the quota could not be counted'));
  return teamUsage(services, teamId);
}
