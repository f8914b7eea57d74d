import type { Usage } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import type { Services } from '../services.ts';
import { teamUsage } from '../plans/team-usage.ts';

/** What the caller's team has used this month, every report that was answered until now in it. */
export async function readUsage(services: Services, { teamId }: Caller): Promise<Usage> {
  const { store, log } = services;
  // Where nothing can be written, what was known before can be read all the same.
  await store.tellRefused().catch((error: unknown) => log.warn({ err: error }, 'refused reports could not be counted'));
  return teamUsage(services, teamId);
}
