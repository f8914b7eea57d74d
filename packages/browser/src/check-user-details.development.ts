import type { Client } from './client.ts';
import { warn } from './warn.ts';

/** Warns about a name or an e-mail address that is not sent. Only in the `development` build. */
export function checkUserDetails(client: Client, user: unknown): void {
  const { name, email } = Object(user) as { name?: unknown; email?: unknown };
  if (client.settings.sendUserDetails || !(name || email)) return;
  warn(12, 'setUser() drops name and email without the option sendUserDetails', client);
}
