/** So many months of each team are remembered: a clock that is set back finds what was counted before. */
const months = 24;

/** Reports that count against the quota, by team and month. */
export class Usage {
  readonly #teams = new Map<number, Map<number, number>>();

  get(teamId: number, month: number): number {
    return this.#teams.get(teamId)?.get(month) ?? 0;
  }

  set(teamId: number, month: number, errors: number): void {
    let counts = this.#teams.get(teamId);
    if (!counts) this.#teams.set(teamId, (counts = new Map()));
    counts.set(month, errors);
    if (counts.size <= months) return;
    for (const oldest of counts.keys()) {
      counts.delete(oldest);
      break;
    }
  }

  *[Symbol.iterator](): Generator<{ team_id: number; month: number; errors: number }> {
    for (const [team_id, counts] of this.#teams) for (const [month, errors] of counts) yield { team_id, month, errors };
  }
}
