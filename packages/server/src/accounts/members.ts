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
import type { UserRecord } from '../store/records/records.ts';
import type { Caller } from './caller.ts';
import { commitAsCaller } from './commit-as-caller.ts';
import { endSessions, removeUser } from './revoke-access.ts';
import { operatorOwnerId } from '../credentials/first-owner.ts';
import { invite } from './invitations.ts';
import { hashPassword } from '../credentials/password.ts';
import { makeSecret } from '../credentials/secret.ts';

/** The members of the caller's team, oldest first. */
export function listMembers({ store }: Services, { teamId }: Caller, query: PageQuery): Page<Member> {
  const members = Array.from(store.model.tables.users.values()).filter((user) => user.team_id === teamId);
  return paginate(members, query, toMember);
}

/** Throws `member_not_found`, for another team's as for one that never was. */
export function findMember({ store }: Services, { teamId }: Caller, id: number): UserRecord {
  const member = store.model.tables.users.get(id);
  if (member?.team_id !== teamId) throw memberGone();
  return member;
}

/** Adds a member to the caller's team, or invites one who shall choose a password. Throws `email_taken`. */
export async function addMember(
  services: Services,
  caller: Caller,
  { email, role, name = null, password }: MemberInput,
): Promise<NewMember> {
  const { store, baseUrl } = services;
  const { teamId } = caller;
  // Before the hash, which is dear, and again in the decision.
  if (store.model.tables.users.find(email)) throw emailTaken();
  const hash = password === undefined ? null : await hashPassword(password, teamOf(caller));
  const token = makeSecret();
  const member = await commitAsCaller(services, caller, (transaction) => {
    if (transaction.find('users', email)) throw emailTaken();
    assertRoom(transaction, teamId);
    const created_at = new Date(transaction.now).toISOString();
    const user = { id: transaction.nextId('users'), team_id: teamId, email, name, role, password: hash, created_at };
    transaction.put('users', user);
    if (hash === null) invite(transaction, user.id, token);
    return user;
  });
  return { ...toMember(member), ...(hash === null && { invite_url: `${baseUrl}/#invitation=${token}` }) };
}

/** Changes a member. Another password ends the sessions; it makes an invited member an active one. Throws `last_owner`. */
export async function changeMember(
  services: Services,
  caller: Caller,
  { id }: UserRecord,
  { role, name, password }: MemberChange,
): Promise<Member> {
  const hash = password === undefined ? undefined : await hashPassword(password, teamOf(caller));
  const changed = await commitAsCaller(services, caller, (transaction) => {
    const user = existing(transaction, id);
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

/** Removes a member with all that lets them in. Throws `last_owner`. */
export async function removeMember(services: Services, caller: Caller, { id }: UserRecord): Promise<void> {
  await commitAsCaller(services, caller, (transaction) => {
    assertOwnerStays(transaction, existing(transaction, id));
    removeUser(transaction, id);
  });
}

/** Who shares the row of passwords with others. */
function teamOf({ teamId }: Caller): string {
  return `team ${teamId}`;
}

function toMember(user: UserRecord): Member {
  const { id, email, name, role, created_at } = user;
  return { id, email, name, role, status: isActive(user) ? 'active' : 'invited', created_at };
}

/** The first owner is never an invited one, even while a first start still makes the password. */
function isActive({ id, password }: UserRecord): boolean {
  return password !== null || id === operatorOwnerId;
}

/** A team without an owner who can sign in could never have one again. */
function assertOwnerStays(transaction: Transaction, leaving: UserRecord): void {
  if (!isActiveOwner(leaving)) return;
  for (const user of transaction.rows('users')) {
    if (user.team_id === leaving.team_id && user.id !== leaving.id && isActiveOwner(user)) return;
  }
  throw new ProblemError('last_owner', 'The team would be left without an owner. Make somebody else an owner first.');
}

function isActiveOwner(user: UserRecord): boolean {
  return user.role === 'owner' && isActive(user);
}

function assertRoom(transaction: Transaction, teamId: number): void {
  let count = 0;
  for (const user of transaction.rows('users')) if (user.team_id === teamId) count++;
  if (count >= limits.membersPerTeam)
    throw new ProblemError('conflict', `The team has ${limits.membersPerTeam} members, as many as a team may have.`);
}

/** The member as they are now: they may have changed since the request began. */
function existing(transaction: Transaction, id: number): UserRecord {
  const user = transaction.get('users', id);
  if (!user) throw memberGone();
  return user;
}

function memberGone(): ProblemError {
  return new ProblemError('member_not_found', 'There is no member with this id in the team.');
}

export function emailTaken(): ProblemError {
  return new ProblemError('email_taken', 'Somebody on this server has this e-mail address already.');
}
