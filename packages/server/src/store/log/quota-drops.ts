import { monthOf } from '../records/month.ts';

/** Reports of a team that were dropped in a month because of the quota. */
export interface QuotaDrop {
  teamId: number;
  month: number;
  count: number;
  /** Milliseconds: the first of them. */
  since: number;
}

/** Counts of dropped reports that are not in the log yet. Clients over quota send many: one write each would be too much. */
export class QuotaDrops {
  readonly #pending = new Map<string, QuotaDrop>();

  /** Those of a batch that was decided at a moment, by team. */
  add(refused: ReadonlyMap<number, number>, at: number): void {
    for (const [teamId, count] of refused) this.#add({ teamId, month: monthOf(at), count, since: at });
  }

  take(): QuotaDrop[] {
    const taken = [...this.#pending.values()];
    this.#pending.clear();
    return taken;
  }

  /** After those that were taken could not be written. */
  putBack(taken: readonly QuotaDrop[]): void {
    for (const refused of taken) this.#add(refused);
  }

  #add(refused: QuotaDrop): void {
    const key = `${refused.teamId} ${refused.month}`;
    const waiting = this.#pending.get(key);
    if (!waiting) {
      this.#pending.set(key, { ...refused });
      return;
    }
    waiting.count += refused.count;
    waiting.since = Math.min(waiting.since, refused.since);
  }
}
