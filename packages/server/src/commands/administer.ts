import { endAllSessions } from '../credentials/end-all-sessions.ts';
import { generatePassword } from '../credentials/generate-password.ts';
import { hashPassword } from '../credentials/password.ts';
import { rotateSigningKey } from '../credentials/signing-key.ts';
import { endSessions } from '../credentials/revoke-access.ts';
import { monthlyUsage } from '../plans/team-usage.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { sourceMapUsage } from '../source-maps/source-map-usage.ts';
import type { TeamRecord } from '../store/records/account-records.ts';
import { findTeam } from '../teams/find-team.ts';
import { printable } from '../text/printable.ts';
import { formatBytes } from './format-bytes.ts';

/** The services that the commands of the operator need. In the storage of a stopped server, only these exist. */
type AdministeredServices = Pick<Services, 'store' | 'plans' | 'config' | 'now'>;

/** Runs a command of the operator with its operand, and resolves with the text to print. */
type Administration = (services: AdministeredServices, operand: string) => Promise<string>;

/** The commands of the operator by name. They run in the server, or in the storage of a stopped one. */
export const administrations = {
  teams: listTeams,
  disable: (services, team) => setDisabled(services, team, true),
  enable: (services, team) => setDisabled(services, team, false),
  'reset-password': resetPassword,
  'end-sessions': async ({ store }) => {
    const count = await store.commit(endAllSessions);
    return `Ended ${count} sessions. All users have to sign in again. Personal access tokens stay valid.`;
  },
  'rotate-key': async ({ store }) => {
    await store.commit(rotateSigningKey);
    return 'The signing key is new. Access tokens and links in mails are invalid from now on; sessions continue.';
  },
} as const satisfies Record<string, Administration>;
export type AdministrationName = keyof typeof administrations;

/** Returns a table with one line per team. Users choose the names of teams, so the names are made printable. */
async function listTeams(services: AdministeredServices): Promise<string> {
  const { tables, groups } = services.store.model;
  const { teams, users, projects } = tables;
  const members = countBy(users.values());
  const owned = countBy(projects.values());
  const stored = countBy(projects.values(), ({ id }) => groups.sizes.storedBytesOf(id));
  const rows = Array.from(teams.values(), (team) => {
    const { errors, plan } = monthlyUsage(services, team.id);
    const { maps, bytes } = sourceMapUsage(services, team.id);
    const storedBytes = stored.get(team.id) ?? 0;
    return [
      `${team.id}`,
      printable(team.name).slice(0, maxNameColumn),
      plan,
      `${members.get(team.id) ?? 0}`,
      `${owned.get(team.id) ?? 0}`,
      `${errors.used}${errors.quota === null ? '' : ` of ${errors.quota}`}`,
      storedBytes === 0 ? '0' : formatBytes(storedBytes),
      maps === 0 ? '0' : `${maps} (${formatBytes(bytes)})`,
      team.disabled_at === undefined ? '' : `disabled ${team.disabled_at.slice(0, 10)}`,
    ];
  });
  return table([
    ['ID', 'NAME', 'PLAN', 'MEMBERS', 'PROJECTS', 'REPORTS THIS MONTH', 'STORED', 'SOURCE MAPS', ''],
    ...rows,
  ]);
}

const maxNameColumn = 40;

/** Returns the number of rows of each team, or the sum of what `countOf` returns for them. */
function countBy<Row extends { team_id: number }>(
  rows: Iterable<Row>,
  countOf: (row: Row) => number = () => 1,
): ReadonlyMap<number, number> {
  const counts = new Map<number, number>();
  for (const row of rows) counts.set(row.team_id, (counts.get(row.team_id) ?? 0) + countOf(row));
  return counts;
}

function table(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

async function setDisabled({ store }: AdministeredServices, name: string, isDisabled: boolean): Promise<string> {
  const { id, name: found } = await store.commit((transaction) => {
    const { id: teamId } = findTeam(transaction.model.tables.teams.values(), name);
    const { disabled_at, ...team } = transaction.get('teams', teamId) as TeamRecord;
    const since = disabled_at ?? new Date(transaction.now).toISOString();
    transaction.put('teams', { ...team, ...(isDisabled && { disabled_at: since }) });
    return team;
  });
  return isDisabled
    ? `Team ${id} (${printable(found)}) is disabled: its members can't sign in, and its reports are rejected. Nothing is deleted.`
    : `Team ${id} (${printable(found)}) is enabled.`;
}

/** Sets a random password. Ends the sessions of the user, because someone else may know the old password. */
async function resetPassword({ store }: AdministeredServices, email: string): Promise<string> {
  const known = store.model.tables.users.find(email.trim().toLowerCase());
  if (!known) throw new ProblemError('not_found', 'No account has this e-mail address.');
  const password = generatePassword();
  const hash = await hashPassword(password, 'operator');
  await store.commit((transaction) => {
    const user = transaction.get('users', known.id);
    if (!user) throw new ProblemError('not_found', 'No account has this e-mail address.');
    endSessions(transaction, user.id);
    transaction.put('users', { ...user, password: hash });
  });
  return `Password of ${known.email}: ${password} (shown only now). All sessions of the account have ended.`;
}
