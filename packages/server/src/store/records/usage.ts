import { usageMonths } from '../../retention/retention-policy.ts';

/** The usage of a team in one month. */
export interface MonthlyUsage {
  /** Reports that were accepted. */
  errors: number;
  /** Quota drops: their number, and the time of the first one in milliseconds. */
  refused: number;
  refusedSince: number | null;
  /** AI explanations. */
  ai: number;
}

const nothing: Readonly<MonthlyUsage> = { errors: 0, refused: 0, refusedSince: null, ai: 0 };

/** Usage that counts against quotas, and the quota drops, by team and month. */
export class Usage {
  readonly #teams = new Map<number, Map<number, MonthlyUsage>>();

  get(teamId: number, month: number): Readonly<MonthlyUsage> {
    return this.#teams.get(teamId)?.get(month) ?? nothing;
  }

  countError(teamId: number, month: number): void {
    const used = this.#teams.get(teamId)?.get(month);
    if (used) used.errors++;
    else this.set(teamId, month, { ...nothing, errors: 1 });
  }

  set(teamId: number, month: number, used: MonthlyUsage): void {
    let counts = this.#teams.get(teamId);
    if (!counts) this.#teams.set(teamId, (counts = new Map()));
    counts.set(month, used);
    if (counts.size <= usageMonths) return;
    for (const oldest of counts.keys()) {
      counts.delete(oldest);
      break;
    }
  }

  *[Symbol.iterator](): Generator<{ teamId: number; month: number; used: Readonly<MonthlyUsage> }> {
    for (const [teamId, counts] of this.#teams) for (const [month, used] of counts) yield { teamId, month, used };
  }
}
