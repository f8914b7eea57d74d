import { unlimitedStorage } from '../store/unlimited-storage.ts';
import type { Usage } from '@service/protocol';
import { randomBelow } from '../../../../test/test-utils/seeded-random.mjs';
import { teamUsage } from '../../src/plans/team-usage.ts';
import { parseConfig } from '../../src/config.ts';
import { Plans } from '../../src/plans/plans.ts';
import type { StorageDriver } from '../../src/store/log/storage-driver.ts';
import { Hub } from '../../src/stream/hub.ts';
import type { SubscriberOptions } from '../../src/stream/subscriber.ts';
import { BusyStore } from '../store/busy-store.ts';
import { ManualTime, nextTurn } from './manual-time.ts';
import { TestSink } from './test-sink.ts';

/** A store with a hub, on a clock that tests advance. */
export class StreamedStore {
  readonly busy: BusyStore;
  readonly time = new ManualTime();
  readonly plans: Plans;
  hub: Hub;
  #count = 0;

  static async open(
    driver: StorageDriver,
    { seed = 1, errorQuota = null as number | null } = {},
  ): Promise<StreamedStore> {
    return new StreamedStore(await BusyStore.open(driver, randomBelow(seed)), errorQuota);
  }

  private constructor(busy: BusyStore, errorQuota: number | null) {
    this.busy = busy;
    this.plans = new Plans({ ...parseConfig({}), errorQuota });
    this.hub = this.#open();
  }

  /** Opens a stream, by default for all projects of team 1. */
  subscribe(fields: Partial<SubscriberOptions> = {}): TestSink & { cancel: () => void } {
    const sink = new TestSink();
    const subscription = this.hub.subscribe({
      teamId: 1,
      projectId: null,
      userId: 1,
      limitKey: `stream ${++this.#count}`,
      endsAt: () => Infinity,
      lastEventId: null,
      ...fields,
    });
    subscription.start(sink);
    return Object.assign(sink, { cancel: () => subscription.cancel() });
  }

  /** Advances every clock by `ms`. */
  async pass(ms: number): Promise<void> {
    this.busy.now += ms;
    await this.time.pass(ms);
    await nextTurn();
  }

  async restart(driver: StorageDriver): Promise<void> {
    this.hub.close();
    await this.busy.store.close();
    await this.busy.reopen(driver);
    this.hub = this.#open();
  }

  async resolve(id: number, status: 'resolved' | 'active' = 'resolved'): Promise<void> {
    await this.busy.store.commit((transaction) => {
      const group = transaction.group(id);
      if (group) transaction.setGroupStatus(group, status);
    });
  }

  usageOf(teamId: number): Usage {
    const { busy, plans } = this;
    return teamUsage(
      {
        store: busy.store,
        plans,
        storageBudget: unlimitedStorage(),
        addressLimits: { reports_per_minute: 1, bytes_per_minute: 1 },
        now: () => busy.now,
      },
      teamId,
    );
  }

  #open(): Hub {
    const { busy, time } = this;
    return new Hub({
      store: busy.store,
      now: () => busy.now,
      timing: time,
      usageOf: (teamId) => this.usageOf(teamId),
    });
  }
}
