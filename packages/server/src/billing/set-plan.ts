import type { Plan } from '@service/protocol';
import { printable } from '../text/printable.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { TeamRecord } from '../store/records/records.ts';

/** Of more than these nobody wants to be told in one line. */
const toldTeams = 20;

/** A team, and the plan that it has now. */
export interface GivenPlan {
  team: Pick<TeamRecord, 'id' | 'name'>;
  plan: Plan;
}

/**
 * Gives a team, named by its id or its exact name, a plan from now on: what it has used this month stays used.
 * Throws `not_found` for a team or plan that is not there, and `conflict` for a name that several teams have.
 */
export async function setPlan(
  { store, plans }: Pick<Services, 'store' | 'plans'>,
  team: string,
  planId: string,
): Promise<GivenPlan> {
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

function findTeam(teams: Iterable<TeamRecord>, idOrName: string): TeamRecord {
  const all = Array.from(teams);
  const byId = all.find(({ id }) => String(id) === idOrName);
  if (byId) return byId;
  const [team, another] = all.filter(({ name }) => name === idOrName);
  if (!team) throw new ProblemError('not_found', `There is no team with this id or exact name. ${tell(all)}`);
  if (another) throw new ProblemError('conflict', 'Several teams have this name. Name the team by its id.');
  return team;
}

function tell(teams: readonly TeamRecord[]): string {
  const told = teams.slice(0, toldTeams).map(({ id, name }) => `${id} (${printable(name)})`);
  return `The teams are: ${told.join(', ')}${teams.length > toldTeams ? ` and ${teams.length - toldTeams} more` : ''}.`;
}
