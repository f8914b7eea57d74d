import { limits, type RegisterInput, type Tokens } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { queueConfirmationMail } from '../mails/queue-confirmation-mail.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { TeamRecord, UserRecord } from '../store/records/account-records.ts';
import type { ProjectRecord } from '../store/records/project-records.ts';
import { dayMs, hourMs, secondMs } from '../time/units.ts';
import { emailTaken } from './members.ts';
import { hashPassword } from '../credentials/password.ts';
import { removeTeamRows } from '../teams/remove-team-rows.ts';
import { createTokenSession } from './sessions.ts';
import { addressKey } from '../limits/address-key.ts';

/** Throws `registration_closed` unless the operator allows registration. */
export function assertRegistrationIsOpen({ config }: Services): void {
  if (config.registration === 'open') return;
  throw new ProblemError(
    'registration_closed',
    'Registration is closed: this server creates accounts by invitation. Ask an owner of your team.',
  );
}

/**
 * Creates a user with a new team, and signs them in. Rejects with `email_taken`, `too_many_requests` or `overloaded`.
 */
export async function register(services: Services, input: RegisterInput, clientAddress: string): Promise<Tokens> {
  const { email, name = null, team_name } = input;
  // Checked before the hash, which is expensive, and again in the transaction.
  const known = services.store.model.tables.users.find(email);
  if (known && !isAbandoned(services, known)) throw emailTaken();
  const mustVerify = services.mailer !== null;
  if (mustVerify && !services.registrations.take(clientAddress)) throw tooManyRegistrations();
  const password = await hashPassword(input.password, addressKey(clientAddress));
  return createTokenSession(services, (transaction) => {
    removeAbandonedAccounts(services, transaction);
    if (transaction.find('users', email)) throw emailTaken();
    const created_at = new Date(transaction.now).toISOString();
    const team_id = transaction.nextId('teams');
    transaction.put('teams', { id: team_id, name: team_name ?? name ?? email, created_at });
    const id = transaction.nextId('users');
    transaction.put('users', {
      id,
      team_id,
      email,
      name,
      role: 'owner',
      password,
      created_at,
      ...(mustVerify && { must_verify: true }),
    });
    // At the daily limit of the address, no mail is queued. The user can request one later.
    if (mustVerify) queueConfirmationMail(transaction, { kind: 'account', team_id, to: email });
    return id;
  });
}

/** The maximum number of abandoned accounts that one registration removes. */
const maxRemovedAccounts = 20;

/**
 * Removes accounts, with their teams, whose address was not confirmed within `unverifiedAccountDays`, so that a
 * stranger can't occupy addresses.
 */
function removeAbandonedAccounts(services: Services, transaction: Transaction): void {
  const late = [...transaction.rows('users')].filter((user) => isLate(services, user, transaction.now));
  if (late.length === 0) return;
  // A project, a member or a plan that this batch adds must survive, too. The model does not have it yet.
  const used = usedTeams(transaction.rows('projects'), transaction.rows('teams'), transaction.rows('users'));
  const abandoned = late.filter(({ team_id }) => !used.has(team_id));
  for (const { team_id } of abandoned.slice(0, maxRemovedAccounts)) removeTeamRows(transaction, team_id);
}

/** Returns whether a registration may remove the account, as far as the model knows. */
function isAbandoned(services: Services, user: UserRecord): boolean {
  if (!isLate(services, user, services.now())) return false;
  const { projects, teams, users } = services.store.model.tables;
  return !usedTeams(projects.values(), teams.values(), users.values()).has(user.team_id);
}

/** Returns whether the address was not confirmed in time. A clock that was set back makes no account late. */
function isLate({ mailer }: Services, user: UserRecord, now: number): boolean {
  // Without a mail server no address can be confirmed, so accounts can write. Their data must also survive when the
  // server sends mails again.
  if (!user.must_verify || mailer === null) return false;
  return now - Date.parse(user.created_at) > limits.unverifiedAccountDays * dayMs;
}

/** Returns the ids of the teams with a project, a second member or a plan. These are never removed. */
function usedTeams(
  projects: Iterable<ProjectRecord>,
  teams: Iterable<TeamRecord>,
  users: Iterable<UserRecord>,
): Set<number> {
  const used = new Set<number>();
  for (const { team_id } of projects) used.add(team_id);
  for (const { id, plan } of teams) if (plan !== undefined) used.add(id);
  const withMember = new Set<number>();
  for (const { team_id } of users) {
    if (withMember.has(team_id)) used.add(team_id);
    withMember.add(team_id);
  }
  return used;
}

function tooManyRegistrations(): ProblemError {
  return new ProblemError(
    'too_many_requests',
    'Too many accounts were registered from your address. Try again later.',
    {
      retryAfterSeconds: hourMs / limits.registrationsPerAddress / secondMs,
    },
  );
}
