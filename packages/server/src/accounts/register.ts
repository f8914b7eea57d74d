import type { RegisterInput, Tokens } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { emailTaken } from './members.ts';
import { hashPassword } from '../credentials/password.ts';
import { createTokenSession } from './sessions.ts';
import { addressKey } from '../credentials/address-key.ts';

/** Throws `registration_closed` unless the operator allows registration. */
export function assertRegistrationIsOpen({ config }: Services): void {
  if (config.registration === 'open') return;
  throw new ProblemError(
    'registration_closed',
    'Registration is closed: this server creates accounts by invitation. Ask an owner of your team.',
  );
}

/** Creates a user with a new team, and signs them in. Rejects with `email_taken`. */
export async function register(services: Services, input: RegisterInput, address: string): Promise<Tokens> {
  const { email, name = null, team_name } = input;
  // Checked before the hash, which is expensive, and again in the transaction.
  if (services.store.model.tables.users.find(email)) throw emailTaken();
  const password = await hashPassword(input.password, addressKey(address));
  return createTokenSession(services, (transaction) => {
    if (transaction.find('users', email)) throw emailTaken();
    const created_at = new Date(transaction.now).toISOString();
    const team_id = transaction.nextId('teams');
    transaction.put('teams', { id: team_id, name: team_name ?? name ?? email, created_at });
    const id = transaction.nextId('users');
    transaction.put('users', { id, team_id, email, name, role: 'owner', password, created_at });
    return id;
  });
}
