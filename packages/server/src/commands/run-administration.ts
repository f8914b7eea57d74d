import { json } from 'node:stream/consumers';
import type { Config } from '../config.ts';
import { Plans } from '../plans/plans.ts';
import { administrations, type AdministrationName } from './administer.ts';
import { callServer } from './call-server.ts';
import { openStoppedStore } from './open-stopped-store.ts';
import { assertPersistent } from './stopped-storage.ts';

/**
 * Runs a command of the operator through the running server, or else directly in the storage. Rejects with a
 * `CommandError` if the storage is Redis and no server can be reached.
 */
export async function runAdministration(config: Config, command: AdministrationName, operand = ''): Promise<string> {
  assertPersistent(config.storage, 'administer');
  const response = await callServer(config.storage, '/administer', { command, operand });
  if (response) return ((await json(response)) as { text: string }).text;
  const store = await openStoppedStore(config);
  try {
    return await administrations[command]({ store, plans: new Plans(config), config, now: Date.now }, operand);
  } finally {
    await store.close();
  }
}
