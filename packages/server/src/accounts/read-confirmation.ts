import type { Confirmation } from '@service/protocol';
import { invalidConfirmation, readConfirmationToken } from '../credentials/confirmation-token.ts';
import { recipientId } from '../store/records/recipient-id.ts';
import type { Services } from '../services.ts';

/** What a mailed link confirms, and whether its reader has confirmed or declined already. */
export interface PendingConfirmation extends Pick<Confirmation, 'kind' | 'email' | 'team'> {
  status: Confirmation['status'] | 'pending';
}

/** Returns what a link confirms. Rejects with `invalid_token`. */
export async function readConfirmation({ store, now }: Services, token: string): Promise<PendingConfirmation> {
  const { kind, email, team_id, until } = await readConfirmationToken(store.model, token);
  const { teams, recipients, users } = store.model.tables;
  const team = teams.get(team_id);
  const recipient = recipients.get(recipientId(team_id, email));
  const user = users.find(email);
  const status =
    kind === 'recipient'
      ? recipient?.status
      : user?.team_id === team_id && (user.email_verified_at === undefined ? 'pending' : 'confirmed');
  if (!team || !status || (status === 'pending' && kind === 'account' && until <= now())) throw invalidConfirmation();
  return { kind, email, team: team.name, status };
}
