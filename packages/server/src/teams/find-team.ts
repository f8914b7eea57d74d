import { ProblemError } from '../problem.ts';
import type { TeamRecord } from '../store/records/account-records.ts';
import { printable } from '../text/printable.ts';

/** Maximum number of teams that an error message lists. */
const maxListedTeams = 20;

/**
 * Finds a team by its id or exact name. Throws `not_found` if no team has it, and `conflict` if several have the name.
 */
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
