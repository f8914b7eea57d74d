import { ProblemError } from '../problem.ts';
import { operatorTeamId } from '../teams/operator-team.ts';
import type { Caller } from './caller.ts';

/** Throws `forbidden` for viewers, and `email_not_verified` before the address is confirmed. */
export function assertMayWrite(caller: Caller): void {
  assertVerified(caller);
  if (caller.role === 'viewer')
    throw new ProblemError('forbidden', 'Viewers have read-only access. Ask an owner of the team.');
}

/** Throws `forbidden` unless the caller is an owner, and `email_not_verified` before the address is confirmed. */
export function assertOwner(caller: Caller): void {
  assertVerified(caller);
  if (caller.role !== 'owner') throw new ProblemError('forbidden', 'Only owners of the team may do this.');
}

/** Throws `forbidden` unless the caller is an owner of the operator's team. */
export function assertOperator(caller: Caller): void {
  if (caller.role !== 'owner' || caller.teamId !== operatorTeamId)
    throw new ProblemError('forbidden', 'Only owners of the team that operates this server may do this.');
}

/** Throws `email_not_verified` for a registered user who has not confirmed the address. */
function assertVerified({ mustVerify }: Caller): void {
  if (mustVerify)
    throw new ProblemError(
      'email_not_verified',
      'Confirm your e-mail address first: open the link in the mail that you were sent. The Account page sends a new one.',
    );
}
