import type { Usage } from '@service/protocol';
import { randomBelow } from '../../../../test/test-utils/seeded-random.mjs';
import { teamUsage } from '../../src/plans/team-usage.ts';
import { parseConfig } from '../../src/config.ts';
import { Plans } from '../../src/plans/plans.ts';
import type { Driver } from '../../src/store/log/driver.ts';
import { Hub } from '../../src/stream/hub.ts';
import type { SubscriberOptions } from '../../src/stream/subscriber.ts';
import { BusyStore } from '../store/busy-store.ts';
import { DrivenTime, turn } from './driven-time.ts';
import { TestOutlet } from './test-outlet.ts';

/** A store to which things happen, and somebody to tell of it, on a clock that is driven. */
export class ListeningStore {
  readonly busy: BusyStore;
  readonly time = new DrivenTime();
  readonly plans: Plans;
  hub: Hub;
  #listeners = 0;

  static async open(driver: Driver, { seed = 1, errorQuota = null as number | null } = {}): Promise<ListeningStore> {
    return new ListeningStore(await BusyStore.open(driver, randomBelow(seed)), errorQuota);
  }

  private constructor(busy: BusyStore, errorQuota: number | null) {
    this.busy = busy;
    this.plans = new Plans({ ...parseConfig({}), errorQuota });
    this.hub = this.#open();
  }

  /** Opens a stream; of team 1 and all its projects, unless said otherwise. */
  listen(fields: Partial<SubscriberOptions> = {}): TestOutlet & { leave: () => void } {
    const outlet = new TestOutlet();
    const seat = this.hub.subscribe({
      teamId: 1,
      projectId: null,
      knownBy: `listener ${++this.#listeners}`,
      endsAt: () => Infinity,
      lastEventId: null,
      ...fields,
    });
    seat.begin(outlet);
    return Object.assign(outlet, { leave: () => seat.leave() });
  }

  /** Milliseconds, by every clock. */
  async pass(ms: number): Promise<void> {
    this.busy.now += ms;
    await this.time.pass(ms);
    await turn();
  }

  async restart(driver: Driver): Promise<void> {
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
    return teamUsage({ store: busy.store, plans, now: () => busy.now }, teamId);
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
