import type { Plan } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { TeamRecord } from '../store/records/account-records.ts';
import { findTeam } from '../teams/find-team.ts';

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
