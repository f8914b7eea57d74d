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

  removeTeam(teamId: number): void {
    this.#teams.delete(teamId);
  }

  /** Adds later months, which a wrong clock has counted, to this month. */
  mergeAfter(month: number): void {
    for (const [teamId, counts] of this.#teams) {
      const later = [...counts].filter(([each]) => each > month);
      if (later.length === 0) continue;
      for (const [each] of later) counts.delete(each);
      const merged = later.map(([, used]) => used).reduce(sumOf, this.get(teamId, month));
      this.set(teamId, month, { ...merged });
    }
  }

  teamIds(): Iterable<number> {
    return this.#teams.keys();
  }

  /** Returns the usage of a team in each month, in the order in which they were first counted. */
  monthsOf(teamId: number): [month: number, used: Readonly<MonthlyUsage>][] {
    return [...(this.#teams.get(teamId) ?? [])];
  }
}

function sumOf(a: Readonly<MonthlyUsage>, b: Readonly<MonthlyUsage>): Readonly<MonthlyUsage> {
  return {
    errors: a.errors + b.errors,
    refused: a.refused + b.refused,
    refusedSince: a.refusedSince,
    ai: a.ai + b.ai,
  };
}
