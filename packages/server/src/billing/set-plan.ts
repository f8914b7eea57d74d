import type { Plan } from '@service/protocol';
import { printable } from '../text/printable.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { TeamRecord } from '../store/records/account-records.ts';

/** Maximum number of teams that an error message lists. */
const maxListedTeams = 20;

/** A team and its new plan. */
export interface PlanChange {
  team: Pick<TeamRecord, 'id' | 'name'>;
  plan: Plan;
}

/**
 * Sets the plan of a team, which is named by its id or exact name. Usage of the current month is not reset.
 * Rejects with `not_found` for an unknown team or plan, and with `conflict` for a name that several teams have.
 */
export async function setPlan(
  { store, plans }: Pick<Services, 'store' | 'plans'>,
  team: string,
  planId: string,
): Promise<PlanChange> {
  const plan = plans.find(planId);
  if (!plan) {
    const ids = plans.all.map(({ id }) => id).join(', ');
    throw new ProblemError('not_found', `There is no plan with this id. The plans are: ${ids}.`);
  }
  return store.commit((transaction) => {
    const { id } = findTeam(transaction.model.tables.teams.values(), team);
    const found = transaction.get('teams', id) as TeamRecord;
    transaction.put('teams', { ...found, plan: plan.id, plan_set_at: transaction.now });
    return { team: { id: found.id, name: found.name }, plan };
  });
}

/** Finds a team by its id or exact name. Throws `not_found` or `conflict`. */
export function findTeam(teams: Iterable<TeamRecord>, idOrName: string): TeamRecord {
  const all = Array.from(teams);
  const byId = all.find(({ id }) => String(id) === idOrName);
  if (byId) return byId;
  const [team, another] = all.filter(({ name }) => name === idOrName);
  if (!team) throw new ProblemError('not_found', `There is no team with this id or exact name. ${describeTeams(all)}`);
  if (another) throw new ProblemError('conflict', 'Several teams have this name. Use the id of the team.');
  return team;
}

function describeTeams(teams: readonly TeamRecord[]): string {
  const listed = teams.slice(0, maxListedTeams).map(({ id, name }) => `${id} (${printable(name)})`);
  return `The teams are: ${listed.join(', ')}${teams.length > maxListedTeams ? ` and ${teams.length - maxListedTeams} more` : ''}.`;
}
