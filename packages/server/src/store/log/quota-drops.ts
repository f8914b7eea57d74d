import { monthOf } from '../records/month.ts';

/** The number of reports of a team that were rejected in a month because its quota was used up. */
export interface QuotaDrop {
  teamId: number;
  month: number;
  count: number;
  /** When the first of them was rejected, in milliseconds since 1970. */
  since: number;
}

/**
 * Counts quota drops that are not in the log yet. A client that exceeds a quota sends many reports, and a write for
 * each of them would be too expensive.
 */
export class QuotaDrops {
  readonly #pending = new Map<string, QuotaDrop>();

  /** Adds the drops of one batch, by team. `at`: when its transactions ran. */
  add(drops: ReadonlyMap<number, number>, at: number): void {
    for (const [teamId, count] of drops) this.#add({ teamId, month: monthOf(at), count, since: at });
  }

  /** Returns the drops and removes them. */
  take(): QuotaDrop[] {
    const taken = [...this.#pending.values()];
    this.#pending.clear();
    return taken;
  }

  /** Adds drops again that could not be written. */
  putBack(taken: readonly QuotaDrop[]): void {
    for (const drop of taken) this.#add(drop);
  }

  #add(drop: QuotaDrop): void {
    const key = `${drop.teamId} ${drop.month}`;
    const known = this.#pending.get(key);
    if (!known) {
      this.#pending.set(key, { ...drop });
      return;
    }
    known.count += drop.count;
    known.since = Math.min(known.since, drop.since);
  }
}
