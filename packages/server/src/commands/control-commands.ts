import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { setPlan } from '../billing/set-plan.ts';
import { ProblemError } from '../problem.ts';
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
    switch (request.url) {
      case '/ping':
        return sendJson(response, 200, { pid: process.pid });
      case '/backup':
        return await sendBackup(services, response);
      case '/plan': {
        const { team, plan } = (await json(request)) as { team: string; plan: string };
        return sendJson(response, 200, await setPlan(services, team, plan));
      }
      default:
        return sendJson(response, 404, {
          detail: 'The running server does not know this command: it is of another version.',
        });
    }
  } catch (error) {
    const isAnswer = error instanceof ProblemError && error.code !== 'storage_unavailable';
    if (!isAnswer) services.log.warn({ err: error }, `a command was not done: ${request.url}`);
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { detail: (error as Error).message });
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
