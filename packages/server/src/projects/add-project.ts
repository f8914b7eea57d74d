import { ProjectInput } from '@service/protocol';
import { operatorTeamId } from '../teams/operator-team.ts';
import { createSecret } from '../credentials/secret.ts';
import type { Services } from '../services.ts';

/** The accepted form of a key. Keys that the server creates have it, too. */
const apiKeyForm = /^pk_[\w-]{32,197}$/;

/**
 * Creates a project of the operator's team for the program that embeds the server. Rejects with a `TypeError` for an
 * invalid name, a malformed key, or a key that belongs to a project already.
 */
export async function addProject(
  { store }: Pick<Services, 'store'>,
  { name, apiKey = createSecret('pk_') }: { name: string; apiKey?: string },
): Promise<{ id: number; name: string; apiKey: string }> {
  const input = ProjectInput.safeParse({ name });
  if (!input.success) throw new TypeError('name: expected 1 to 200 characters');
  if (!apiKeyForm.test(apiKey)) throw new TypeError('apiKey: expected pk_ and 32 to 197 letters, digits, _ or -');
  const id = await store.commit((transaction) => {
    if (transaction.find('projects', apiKey)) throw new TypeError('apiKey: a project has this key already');
    const created = transaction.nextId('projects');
    transaction.put('projects', {
      id: created,
      team_id: operatorTeamId,
      name: input.data.name,
      api_key: apiKey,
      created_at: new Date(transaction.now).toISOString(),
    });
    return created;
  });
  return { id, name: input.data.name, apiKey };
}
