import type { TeamDeletion } from '@service/protocol';
import type { Caller } from '../../accounts/caller.ts';
import { commitAsCaller } from '../../accounts/commit-as-caller.ts';
import { checkCallerPassword } from '../../accounts/check-caller-password.ts';
import { removeTeamRows } from '../remove-team-rows.ts';
import { operatorTeamId } from '../operator-team.ts';
import { ProblemError } from '../../problem.ts';
import type { Services } from '../../services.ts';
import { validationFailed } from '../../validation/validation.ts';
import { deleteProject } from '../../projects/projects.ts';

/**
 * Deletes the caller's team with its projects and accounts. Projects are deleted one by one, since a large team in one
 * transaction would hold up all others. If the deletion is interrupted, the team remains and can be deleted again.
 * Rejects as `checkCallerPassword` does, with `conflict` for the operator's team, and with `validation_failed` if
 * `team_name` is not the name of the team.
 */
export async function deleteTeam(
  services: Services,
  caller: Caller,
  { current_password, team_name }: TeamDeletion,
  clientAddress: string,
): Promise<void> {
  const { teamId } = caller;
  const { teams, projects } = services.store.model.tables;
  await checkCallerPassword(services, caller, current_password, clientAddress);
  if (teamId === operatorTeamId)
    throw new ProblemError('conflict', 'This team operates the server and can’t be deleted.');
  if (teams.get(teamId)?.name !== team_name)
    throw validationFailed([{ path: 'team_name', detail: 'expected the name of the team' }]);
  for (const project of Array.from(projects.values()))
    if (project.team_id === teamId) await deleteProject(services, caller, project);
  await commitAsCaller(services, caller, (transaction) => removeTeamRows(transaction, teamId));
}
