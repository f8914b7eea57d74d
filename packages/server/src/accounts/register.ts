import type { RegisterInput, Tokens } from '@service/protocol';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import { emailTaken } from './members.ts';
import { hashPassword } from '../credentials/password.ts';
import { openTokenSession } from './sessions.ts';
import { subscriberOf } from '../credentials/subscriber.ts';

/** Throws `registration_closed` unless the operator has opened it. */
export function assertRegistrationIsOpen({ config }: Services): void {
  if (config.registration === 'open') return;
  throw new ProblemError('registration_closed', 'Accounts are made by invitation here. Ask an owner of your team.');
}

/** Makes an account that owns a team of its own, and signs it in. Throws `email_taken`. */
export async function register(services: Services, input: RegisterInput, address: string): Promise<Tokens> {
  const { email, name = null, team_name } = input;
  // What can be told at once shall not wait for the hash.
  if (services.store.model.tables.users.find(email)) throw emailTaken();
  const password = await hashPassword(input.password, subscriberOf(address));
  return openTokenSession(services, (transaction) => {
    if (transaction.find('users', email)) throw emailTaken();
    const created_at = new Date(transaction.now).toISOString();
    const team_id = transaction.nextId('teams');
    transaction.put('teams', { id: team_id, name: team_name ?? name ?? email, created_at });
    const id = transaction.nextId('users');
    transaction.put('users', { id, team_id, email, name, role: 'owner', password, created_at });
    return id;
  });
}
