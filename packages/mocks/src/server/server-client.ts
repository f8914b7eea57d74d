import type { SentRequest, ServerKind } from './messages.ts';

/** Calls the servers of a test, wherever they run. */
export interface ServerClient {
  /** Resolves with the response once its head has arrived. */
  fetch(kind: ServerKind, request: SentRequest): Promise<Response>;
  /** Forgets every group and report. */
  reset(): Promise<void>;
  /** Stops the servers. A further request starts them again. */
  close(): Promise<void>;
}
