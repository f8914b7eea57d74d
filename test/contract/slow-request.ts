import { connect } from 'node:net';
import { adminToken } from './credentials.ts';
import type { TestContext } from './context.ts';

export interface SlowRequest {
  /** Returns the response received so far. */
  response: () => string;
  /** Resolves with the milliseconds from the start to the first bytes of the response. */
  responded: Promise<number>;
  /** Resolves once the server has closed the connection. */
  closed: Promise<void>;
  write: (text: string) => void;
}

/** Opens a connection and sends only the first part of a request. */
export function openSlowRequest({ server }: TestContext, text: string): SlowRequest {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname, () => socket.write(text));
  const startedAt = performance.now();
  let response = '';
  const responded = new Promise<number>((resolve) =>
    socket.on('data', (chunk: Buffer) => {
      response += chunk.toString();
      resolve(performance.now() - startedAt);
    }),
  );
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  return { response: () => response, responded, closed, write: (more) => void socket.write(more) };
}

/** Returns the head of a POST request of the operator, without the empty line at its end. */
export function postHead(path: string, type = 'application/json'): string {
  return `POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${adminToken}\r\nContent-Type: ${type}\r\n`;
}
