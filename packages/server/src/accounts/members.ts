import {
  limits,
  type Member,
  type MemberChange,
  type MemberInput,
  type NewMember,
  type Page,
  type PageQuery,
} from '@service/protocol';
import { paginate } from '../validation/paginate.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { UserRecord } from '../store/records/account-records.ts';
import type { Caller } from './caller.ts';
import { commitAsCaller } from './commit-as-caller.ts';
import { endSessions, removeUser } from '../credentials/revoke-access.ts';
import { operatorOwnerId } from '../teams/operator-team.ts';
import { invite } from './invitations.ts';
import { hashPassword } from '../credentials/password.ts';
import { createSecret } from '../credentials/secret.ts';

/** Returns the members of the caller's team, oldest first. */
export function listMembers({ store }: Services, { teamId }: Caller, query: PageQuery): Page<Member> {
  const members = Array.from(store.model.tables.users.values()).filter((user) => user.team_id === teamId);
  return paginate(members, query, toMember);
}

/** Returns a member of the caller's team. Throws `member_not_found`, also for members of other teams. */
export function findMember({ store }: Services, { teamId }: Caller, id: number): UserRecord {
  const member = store.model.tables.users.get(id);
  if (member?.team_id !== teamId) throw memberNotFound();
  return member;
}

/**
 * Adds a member to the caller's team. Without a password, invites them to choose one. Rejects with `email_taken`, with
 * `conflict` at the maximum number of members or of invited ones, or with `overloaded` if too many passwords wait.
 */
export async function addMember(
  services: Services,
  caller: Caller,
  { email, role, name = null, password }: MemberInput,
): Promise<NewMember> {
  const { store, baseUrl } = services;
  const { teamId } = caller;
  // Checked before the hash, which is expensive, and again in the transaction.
  if (store.model.tables.users.find(email)) throw emailTaken();
  const hash = password === undefined ? null : await hashPassword(password, queueKey(caller));
  const token = createSecret();
  const member = await commitAsCaller(services, caller, (transaction) => {
    if (transaction.find('users', email)) throw emailTaken();
    assertMemberLimit(transaction, teamId, hash === null);
    const created_at = new Date(transaction.now).toISOString();
    const user = { id: transaction.nextId('users'), team_id: teamId, email, name, role, password: hash, created_at };
    transaction.put('users', user);
    if (hash === null) invite(transaction, user.id, token);
    return user;
  });
  return { ...toMember(member), ...(hash === null && { invite_url: `${baseUrl}/#invitation=${token}` }) };
}

/**
 * Changes a member. A new password ends their sessions and activates an invited member. Rejects with `last_owner` if
 * the team would have no active owner, or with `overloaded` if too many passwords wait.
 */
export async function updateMember(
  services: Services,
  caller: Caller,
  { id }: UserRecord,
  { role, name, password }: MemberChange,
): Promise<Member> {
  const hash = password === undefined ? undefined : await hashPassword(password, queueKey(caller));
  const changed = await commitAsCaller(services, caller, (transaction) => {
    const user = currentMember(transaction, id);
    if (role !== undefined && role !== 'owner') assertOwnerStays(transaction, user);
    const record: UserRecord = {
      ...user,
      role: role ?? user.role,
      name: name === undefined ? user.name : name,
      password: hash ?? user.password,
    };
    if (hash !== undefined) endSessions(transaction, id);
    transaction.put('users', record);
    return record;
  });
  return toMember(changed);
}

/** Removes a member with their sessions and tokens. Rejects with `last_owner` for the only active owner. */
export async function removeMember(services: Services, caller: Caller, { id }: UserRecord): Promise<void> {
  await commitAsCaller(services, caller, (transaction) => {
    assertOwnerStays(transaction, currentMember(transaction, id));
    removeUser(transaction, id);
  });
}

/** Returns the key by which `PasswordQueue` counts this team. */
function queueKey({ teamId }: Caller): string {
  return `team ${teamId}`;
}

function toMember(user: UserRecord): Member {
  const { id, email, name, role, created_at } = user;
  return { id, email, name, role, status: isActive(user) ? 'active' : 'invited', created_at };
}

/** The first owner counts as active even before the first start has stored a password. */
function isActive({ id, password }: UserRecord): boolean {
  return password !== null || id === operatorOwnerId;
}

/** Throws `last_owner` if `leaving` is the only active owner: without one, no member could appoint another. */
export function assertOwnerStays(transaction: Transaction, leaving: UserRecord): void {
  if (!isActiveOwner(leaving)) return;
  for (const user of transaction.rows('users')) {
    if (user.team_id === leaving.team_id && user.id !== leaving.id && isActiveOwner(user)) return;
  }
  throw new ProblemError(
    'last_owner',
    'The team would have no owner. Make another member an owner first, or delete the team.',
  );
}

function isActiveOwner(user: UserRecord): boolean {
  return user.role === 'owner' && isActive(user);
}

function assertMemberLimit(transaction: Transaction, teamId: number, isInvitation: boolean): void {
  let count = 0;
  let invited = 0;
  for (const user of transaction.rows('users')) {
    if (user.team_id !== teamId) continue;
    count++;
    if (!isActive(user)) invited++;
  }
  if (isInvitation && invited >= limits.invitationsPerTeam)
    throw new ProblemError(
      'conflict',
      `The team has ${limits.invitationsPerTeam} invited members, which is the maximum. Remove one who will not join.`,
    );
  if (count >= limits.membersPerTeam)
    throw new ProblemError('conflict', `The team has the maximum of ${limits.membersPerTeam} members.`);
}

/** Reads the member again: they may have changed since the request began. */
function currentMember(transaction: Transaction, id: number): UserRecord {
  const user = transaction.get('users', id);
  if (!user) throw memberNotFound();
  return user;
}

function memberNotFound(): ProblemError {
  return new ProblemError('member_not_found', 'The team has no member with this id.');
}

export function emailTaken(): ProblemError {
  return new ProblemError('email_taken', 'This e-mail address is already in use on this server.');
}
