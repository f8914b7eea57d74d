import { ProblemError } from '../problem.ts';
import type { TeamRecord } from '../store/records/account-records.ts';

/** Throws `team_disabled` if the operator has disabled the team. */
export function assertTeamEnabled(team: TeamRecord | undefined): void {
  if (team?.disabled_at !== undefined)
    throw new ProblemError('team_disabled', 'The operator of this server has disabled the team.');
}
