import { once } from 'node:events';
import { WebSocket } from 'ws';

/** A session of WebDriver BiDi (https://www.w3.org/TR/webdriver-bidi/), with the commands that the tests need. */
export interface BiDi {
  /** Sends a command and resolves with its result. */
  send(method: string, params: object): Promise<Record<string, unknown>>;
  capabilities: Record<string, unknown>;
}

interface BidiResponse {
  id: number;
  type: 'success' | 'error';
  result: Record<string, unknown>;
  error: string;
  message: string;
}

/** Opens the one session of a browser that listens at `address`, a `ws:` URL. */
export async function openBiDi(address: string): Promise<BiDi> {
  const socket = new WebSocket(`${address}/session`);
  await once(socket, 'open');
  const waiting = new Map<number, (response: BidiResponse) => void>();
  socket.on('message', (data: Buffer) => {
    const response = JSON.parse(String(data)) as BidiResponse;
    // Events have no id. The session subscribes to no events.
    waiting.get(response.id)?.(response);
    waiting.delete(response.id);
  });
  socket.on('close', () => {
    const gone = { type: 'error', error: 'gone', message: 'The browser has closed the session.' } as BidiResponse;
    for (const settle of waiting.values()) settle(gone);
  });

  let sent = 0;
  async function send(method: string, params: object): Promise<Record<string, unknown>> {
    const id = ++sent;
    const { type, result, error, message } = await new Promise<BidiResponse>((resolve) => {
      waiting.set(id, resolve);
      socket.send(JSON.stringify({ id, method, params }));
    });
    if (type === 'error') throw new Error(`The browser could not ${method}: ${error}. ${message}`);
    return result;
  }
  const { capabilities } = await send('session.new', { capabilities: {} });
  return { send, capabilities: capabilities as Record<string, unknown> };
}
