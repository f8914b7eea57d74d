import type { Client } from './client.ts';

/**
 * Warns about a name or an e-mail address that is not sent. Does nothing here: the `development` build replaces this
 * module by check-user-details.development.ts.
 */
export function checkUserDetails(_client: Client, _user: unknown): void {}
