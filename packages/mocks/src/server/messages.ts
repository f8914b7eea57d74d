import type { MessagePort } from 'node:worker_threads';
import type { ConfigInput } from '@service/server';

/** The options that all servers of a test share. */
export interface ServerOptions {
  apiKey: string;
  settings: Omit<ConfigInput, 'storage'> & { adminToken: string | null };
}

/**
 * The kinds of servers that a test can use. Each is a real server; they differ in their settings.
 * - `accepting`: accepts reports with the key of the test.
 * - `without-quota`: the quota of its plan is used up.
 * - `other-key`: knows only another key.
 * - `other-origins`: accepts reports only from an origin that no test has.
 */
export type ServerKind = 'accepting' | 'without-quota' | 'other-key' | 'other-origins';

/** A message of a test to its worker, with a port for the response. */
export type WorkerMessage =
  | { type: 'request'; port: MessagePort; server: ServerKind; request: SentRequest }
  | { type: 'reset'; port: MessagePort };

/** A request to a server. `path` is the URL without its origin, and begins with a slash. */
export interface SentRequest {
  method: string;
  path: string;
  headers: [string, string][];
  body: Uint8Array | null;
}

/** A message of the worker. A response is a head, then chunks, then `done`; a reset is only `done`; or `failed`. */
export type WorkerResponse =
  | { type: 'head'; status: number; headers: [string, string][] }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'done' }
  | { type: 'failed'; message: string };
