import type { ServerKind } from './server/messages.ts';

/** What happens to the requests of an app. */
export type Scenario =
  | { type: 'server'; server: ServerKind }
  /** No request arrives. */
  | { type: 'offline' }
  /** The server has stopped; the proxy in front of it responds with 503. */
  | { type: 'down' };

export const normal: Scenario = { type: 'server', server: 'accepting' };
