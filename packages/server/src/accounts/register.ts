import { limits, type RegisterInput, type Tokens } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { queueConfirmationMail } from '../mails/queue-confirmation-mail.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { Model } from '../store/model/model.ts';
import type { UserRecord } from '../store/records/account-records.ts';
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
  if (known && !isAbandoned(services, known, services.now())) throw emailTaken();
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
  let removed = 0;
  for (const user of transaction.rows('users')) {
    if (!isAbandoned(services, user, transaction.now)) continue;
    removeTeamRows(transaction, user.team_id);
    if (++removed === maxRemovedAccounts) return;
  }
}

/**
 * Returns whether the address was not confirmed in time, and no data would be lost with the account. A clock that was
 * set back makes no account abandoned.
 */
function isAbandoned({ mailer, store }: Services, user: UserRecord, now: number): boolean {
  // Without a mail server no address can be confirmed, so accounts can write. Their data must also survive when the
  // server sends mails again.
  if (!user.must_verify || mailer === null) return false;
  const isLate = now - Date.parse(user.created_at) > limits.unverifiedAccountDays * dayMs;
  return isLate && !isTeamUsed(store.model, user);
}

/** Returns whether the team of a user has a project, another member or a plan. */
function isTeamUsed({ tables }: Model, { id, team_id }: UserRecord): boolean {
  if (tables.projects.of(team_id).length > 0 || tables.teams.get(team_id)?.plan !== undefined) return true;
  for (const other of tables.users.values()) if (other.team_id === team_id && other.id !== id) return true;
  return false;
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
