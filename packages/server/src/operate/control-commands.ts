import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Services } from '../services.ts';

/** Whoever takes nothing for so long has gone, and must not hold up the freeing of space. */
const patienceMs = 60_000;

/** Answers a command that came over the control socket. */
export async function answerControl(
  services: Services,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    if (request.url === '/ping') sendJson(response, 200, { pid: process.pid });
    else if (request.url === '/backup') await sendBackup(services, response);
    else
      sendJson(response, 404, { detail: 'The running server does not know this command: it is of another version.' });
  } catch (error) {
    services.log.warn({ err: error }, `a command was not done: ${request.url}`);
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { detail: `The server could not do it: ${(error as Error).message}` });
  }
}

async function sendBackup({ store, log }: Services, response: ServerResponse): Promise<void> {
  for await (const piece of store.backup()) {
    if (response.destroyed) return;
    if (!response.write(piece)) await drained(response);
  }
  response.end();
  log.info('a backup was taken');
}

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const giveUp = setTimeout(() => response.destroy(), patienceMs);
    const done = (): void => {
      clearTimeout(giveUp);
      response.off('drain', done).off('close', done);
      resolve();
    };
    response.once('drain', done).once('close', done);
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
