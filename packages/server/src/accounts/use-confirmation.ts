import type { Confirmation, ConfirmationInput } from '@service/protocol';
import {
  invalidConfirmation,
  readConfirmationToken,
  type ConfirmationClaims,
} from '../credentials/confirmation-token.ts';
import { recipientId } from '../store/records/recipient-id.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { TeamRecord } from '../store/records/account-records.ts';
import { removeTeamRows } from '../teams/remove-team-rows.ts';

/** Confirms or declines an address. Rejects with `invalid_token`. A repeated request changes nothing. */
export async function useConfirmation(
  services: Services,
  { token, accept = true }: ConfirmationInput,
): Promise<Confirmation> {
  const { store, now } = services;
  const claims = await readConfirmationToken(store.model, token);
  // Declining works at any time: a reader of an old mail must be able to stop further ones.
  if (accept && claims.until <= now()) throw invalidConfirmation();
  const status = accept ? 'confirmed' : 'declined';
  const team = await store.commit((transaction) => {
    const found = transaction.get('teams', claims.team_id);
    if (!found) throw invalidConfirmation();
    if (claims.kind === 'recipient') setRecipientStatus(transaction, claims, status);
    else if (accept) verifyAccount(transaction, claims);
    else declineAccount(transaction, claims, found);
    return found;
  });
  return { kind: claims.kind, email: claims.email, team: team.name, status };
}

function setRecipientStatus(
  transaction: Transaction,
  { team_id, email }: ConfirmationClaims,
  status: Confirmation['status'],
): void {
  const recipient = transaction.get('recipients', recipientId(team_id, email));
  if (!recipient) throw invalidConfirmation();
  if (recipient.status !== status) transaction.put('recipients', { ...recipient, status });
}

function verifyAccount(transaction: Transaction, { team_id, email }: ConfirmationClaims): void {
  const user = transaction.find('users', email);
  if (user?.team_id !== team_id) throw invalidConfirmation();
  if (user.email_verified_at !== undefined) return;
  const { must_verify: _, ...verified } = user;
  transaction.put('users', { ...verified, email_verified_at: new Date(transaction.now).toISOString() });
}

/** Removes an account that someone else has registered with the reader's address. */
function declineAccount(transaction: Transaction, { team_id, email }: ConfirmationClaims, team: TeamRecord): void {
  const user = transaction.find('users', email);
  if (user?.team_id !== team_id) throw invalidConfirmation();
  // A link can only undo a registration. Members, and confirmed accounts, are removed by an owner.
  if (!user.must_verify)
    throw new ProblemError('invalid_token', 'The account is in use. Ask an owner of its team to remove it.');
  removeTeamRows(transaction, team.id);
}
