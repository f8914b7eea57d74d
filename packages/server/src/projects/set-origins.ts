import type { Origins, OriginsInput } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { isOriginEntry, normalEntries } from '../origins/origin-entry.ts';
import type { Services } from '../services.ts';
import { validationFailed } from '../validation/validation.ts';
import { originsSetting } from '../origins/allow-list.ts';

export function readOrigins({ allowList }: Services): Origins {
  return { origins: allowList.atRunTime, from_settings: [...allowList.fromSettings] };
}

/** Replaces the entries that were set through the API. Entries from the settings stay. */
export async function setOrigins(services: Services, caller: Caller, { origins }: OriginsInput): Promise<Origins> {
  const given = origins.map((entry) => entry.trim());
  const problems = given.flatMap((entry, index) =>
    isOriginEntry(entry) ? [] : [{ path: `origins.${index}`, detail: expectedOrigin }],
  );
  if (problems.length > 0) throw validationFailed(problems);
  const entries = normalEntries(given);
  await commitAsCaller(services, caller, (transaction) =>
    transaction.put('settings', { id: originsSetting, value: JSON.stringify(entries) }),
  );
  services.log.info({ user_id: caller.userId, origins: entries.length }, 'the allow-list of origins was changed');
  return readOrigins(services);
}

const expectedOrigin = 'expected an origin such as https://app.example.com, https://*.example.com or *';
