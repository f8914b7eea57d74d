import { openPostgresDriver } from '../../src/storage/postgres/postgres.ts';
import { openStore, type Store } from '../../src/store/store.ts';

/** Opens a store on a database that other stores write to, too. All of them may append, as if each held the log. */
export async function openSharingStore(url: string): Promise<Store> {
  const driver = await openPostgresDriver(url);
  driver.log.mayAppend = () => true;
  return openStore(driver, {
    retentionReports: 100,
    retentionDays: 90,
    now: Date.now,
    warn: () => undefined,
    isStandby: true,
  });
}

/** Adds a team whose name has to be unique. Resolves with its id, or null if there is one with this name. */
export function addTeam(store: Store, name: string): Promise<number | null> {
  return store.commit((transaction) => {
    for (const team of transaction.rows('teams')) if (team.name === name) return null;
    const id = transaction.nextId('teams');
    transaction.put('teams', { id, name, created_at: '' });
    return id;
  });
}
