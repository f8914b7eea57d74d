import type { MessagePort } from 'node:worker_threads';
import type { ConfigInput } from '@service/server';

/** What all servers of a test have in common. */
export interface ServerOptions {
  apiKey: string;
  settings: Omit<ConfigInput, 'storage'> & { adminToken: string | null };
}

/**
 * The servers that a test can meet. Each is a real one; they differ in their settings.
 * - `open`: accepts reports with the key of the test.
 * - `without-quota`: the quota of its plan is used up.
 * - `other-key`: knows only another key.
 * - `other-origins`: accepts reports only from an origin that no test has.
 */
export type ServerKind = 'open' | 'without-quota' | 'other-key' | 'other-origins';

/** What a test tells its worker. Each message has a port for the response. */
export type WorkerMessage =
  | { type: 'request'; port: MessagePort; server: ServerKind; request: SentRequest }
  | { type: 'reset'; port: MessagePort };

/** A request without its origin: `path` begins with a slash. */
export interface SentRequest {
  method: string;
  path: string;
  headers: [string, string][];
  body: Uint8Array | null;
}

/** What the worker responds, in this order: a head, then the body in chunks; or only `done` or `failed`. */
export type WorkerResponse =
  | { type: 'head'; status: number; headers: [string, string][] }
  | { type: 'chunk'; bytes: Uint8Array }
  | { type: 'done' }
  | { type: 'failed'; message: string };
