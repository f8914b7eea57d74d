import type { RandomBelow } from '../../../../test/test-utils/seeded-random.mjs';
import type { StorageDriver } from '../../src/store/log/storage-driver.ts';
import { monthOf } from '../../src/store/records/month.ts';
import { recordReport } from '../../src/ingest/record-report.ts';
import { emptyValues } from './records/report-entry.ts';
import { unlimitedStorage } from './unlimited-storage.ts';
import { packTags } from '../../src/store/records/packed-tags.ts';
import { openStore, type Store } from '../../src/store/store.ts';
import { machineTiming } from '../../src/time/timing.ts';

const hourMs = 3_600_000;
const retentionReports = 3;

/** A store with its own clock and random changes. */
export class BusyStore {
  store: Store;
  now = Date.UTC(2026, 9, 28);
  readonly random: RandomBelow;
  readonly warnings: string[] = [];
  #reports = 0;

  /** The reading of a monotonic clock since the start. */
  elapsedMs = 0;

  static async open(driver: StorageDriver, random: RandomBelow, now?: number): Promise<BusyStore> {
    const busy = new BusyStore(random);
    if (now !== undefined) busy.now = now;
    await busy.reopen(driver);
    return busy;
  }

  private constructor(random: RandomBelow) {
    this.random = random;
    this.store = undefined as unknown as Store;
  }

  async reopen(driver: StorageDriver): Promise<void> {
    this.store = await openStore(driver, {
      retentionReports,
      retentionDays: 90,
      now: () => this.now,
      // No delays and no timers: the test controls the time, and the size of a slice does not depend on the machine.
      timing: { ...machineTiming, now: () => this.elapsedMs, every: () => () => undefined },
      warn: (error, message) => this.warnings.push(`${message}: ${String(error)}`),
    });
  }

  async addProject(): Promise<number> {
    return this.store.commit((transaction) => {
      const id = transaction.nextId('projects');
      const created_at = new Date(this.now).toISOString();
      transaction.put('projects', {
        id,
        team_id: 1 + (id % 2),
        name: `project ${id}`,
        api_key: `key ${id}`,
        created_at,
      });
      return id;
    });
  }

  /** Records a report and resolves with its group. With `isLate`, it may join the group of another kind. */
  async report(projectId: number, kind: number, isLate = false): Promise<number> {
    const count = ++this.#reports;
    const { error_group_id } = await this.store.commit((transaction) =>
      recordReport(
        transaction,
        {
          api_key: `key ${projectId}`,
          fingerprint: fingerprintOf(kind),
          grouping: { version: 3, rule: 'place', components: [`kind ${kind}`] },
          earlier: isLate ? () => [{ groupsBefore: 40, fingerprint: () => fingerprintOf((kind * 7) % 25) }] : undefined,
          body: () => bodyOf(kind, count),
          project_id: projectId,
          columns: {
            ...emptyValues,
            type: kind % 2 ? 'TypeError' : null,
            message: `Kind ${kind}`,
            level: 'error',
            environment: this.random(2) ? 'production' : null,
            release: `shop@${this.random(4)}`,
            browser: 'Chrome 141',
            user_id: `user ${this.random(9)}`,
            tags: this.random(3)
              ? packTags({ plan: `p${this.random(3)}`, [`tag ${this.random(20)}`]: 'größer' })
              : null,
          },
        },
        { errorQuota: null, retentionReports, storageBudget: unlimitedStorage(this.store.room) },
      ),
    );
    return error_group_id;
  }

  /** Applies one random change. */
  async step(): Promise<void> {
    const { random, store } = this;
    this.now += random(40) === 0 ? 30 * hourMs : random(1_500);
    const projects = Array.from(store.model.tables.projects.values(), ({ id }) => id);
    const project = projects[random(projects.length)] ?? (await this.addProject());
    const ids = [...store.model.groups.ids()];
    const group = ids[random(ids.length)];
    const kind = random(100);
    if (kind < 84 || group === undefined) await this.report(project, random(25), kind % 4 === 0);
    else if (kind < 92) {
      await store.commit((transaction) => {
        const known = transaction.group(group);
        if (known) transaction.setGroupStatus(known, 'resolved');
      });
    } else if (kind < 96) {
      await store.commit((transaction) => {
        const known = transaction.group(group);
        if (known) transaction.removeGroup(known);
      });
    } else if (kind < 97 && projects.length > 1)
      await store.commit((transaction) => transaction.remove('projects', project));
    else await this.addProject();
  }
}

function bodyOf(kind: number, count: number): string | Uint8Array {
  const text = JSON.stringify({ message: `Kind ${kind}`, count, filler: 'größer '.repeat(kind) });
  return count % 2 ? text : Buffer.from(text);
}

/** Returns the whole visible state, independent of positions in the log. */
export async function visibleState({ store, now }: Pick<BusyStore, 'store' | 'now'>): Promise<unknown> {
  const { model } = store;
  const projects = [...model.tables.projects.values()];
  const groups = [...model.groups.ids()].toSorted((a, b) => a - b).flatMap((id) => model.groups.get(id) ?? []);
  return {
    projects,
    groups: await Promise.all(
      groups.map(async (group) => ({
        ...group.toRecord(now),
        ...group.toDetails(now),
        tags: group.topTags(),
        kept: await Promise.all(
          group.reportPointers
            .all()
            .map(async ({ id, at }) => ({ id, at, report: String(await store.readBody(group.id, id)) })),
        ),
      })),
    ),
    facets: projects.map(({ id }) => model.facets(id)),
    usage: [1, 2].map((team) => model.errorsUsed(team, monthOf(now))),
    lastIds: (['projects', 'groups', 'reports'] as const).map((kind) => model.lastId(kind)),
    keptBytes: model.storedBytes,
  };
}

function fingerprintOf(kind: number): string {
  return (kind + 1).toString(16).padStart(32, 'ab0');
}
