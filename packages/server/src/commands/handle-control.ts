import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import type { BackupContent } from '../store/backup/take-backup.ts';
import { administrations, type AdministrationName } from './administer.ts';
import { setPlan } from '../billing/set-plan.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/**
 * A client that reads nothing for this long is disconnected, because a running backup keeps the server from freeing
 * space.
 */
const drainTimeoutMs = 60_000;

/** The server behind a control socket. Several may share a storage, and one of them holds the log. */
export interface ControlledServer {
  readonly services: Services;
  /** True if this server holds the log. */
  readonly isActive: boolean;
  /** The other server that holds the log, or null. */
  readonly otherHolder: { address: string; isAlive: boolean } | null;
}

/** The status of the response if another server must run the command. */
export const notHolderStatus = 421;

/** The body of that response. `holder_url` is null while no server holds the log. */
export interface NotHolder {
  detail: string;
  holder_url: string | null;
}

/** Handles a command of the control socket. */
export async function handleControl(
  server: ControlledServer,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (request.url === '/ping') sendJson(response, 200, { pid: process.pid });
  else if (server.isActive) await handleCommand(server.services, request, response);
  else sendNotHolder(response, server.otherHolder);
}

function sendNotHolder(response: ServerResponse, holder: ControlledServer['otherHolder']): void {
  const body: NotHolder = {
    detail: 'Another server on this storage must run this command.',
    holder_url: holder?.isAlive ? holder.address : null,
  };
  sendJson(response, notHolderStatus, body);
}

async function handleCommand(services: Services, request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    switch (request.url) {
      case '/backup':
        return await sendBackup(services, response);
      case '/backup-without-secrets':
        return await sendBackup(services, response, { withoutSecrets: true });
      case '/administer': {
        const { command, operand } = (await json(request)) as { command: AdministrationName; operand: string };
        if (!Object.hasOwn(administrations, command)) return sendUnknown(response);
        return sendJson(response, 200, { text: await administrations[command](services, operand) });
      }
      case '/plan': {
        const { team, plan } = (await json(request)) as { team: string; plan: string };
        return sendJson(response, 200, await setPlan(services, team, plan));
      }
      default:
        return sendUnknown(response);
    }
  } catch (error) {
    const isExpected = error instanceof ProblemError && error.code !== 'storage_unavailable';
    if (!isExpected) services.log.warn({ err: error }, `a command failed: ${request.url}`);
    if (response.headersSent) response.destroy();
    else sendJson(response, 500, { detail: (error as Error).message });
  }
}

function sendUnknown(response: ServerResponse): void {
  sendJson(response, 404, {
    detail: 'The running server does not support this command, because its version differs. Use the same version.',
  });
}

async function sendBackup(
  { store, log }: Services,
  response: ServerResponse,
  content: BackupContent = {},
): Promise<void> {
  for await (const piece of store.backup(content)) {
    const isInTime = response.destroyed || response.write(piece) || (await waitForDrain(response));
    if (isInTime && !response.destroyed) continue;
    log.warn(`a backup has ended early, because its reader ${isInTime ? 'disconnected' : 'took no data for a minute'}`);
    return void response.destroy();
  }
  response.end();
  log.info('a backup was taken');
}

/** Waits until the reader takes more data or disconnects. Resolves with false after a minute without either. */
function waitForDrain(response: ServerResponse): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (isInTime: boolean) => (): void => {
      clearTimeout(timer);
      response.off('drain', done).off('close', done);
      resolve(isInTime);
    };
    const done = end(true);
    const timer = setTimeout(end(false), drainTimeoutMs);
    response.once('drain', done).once('close', done);
  });
}

function sendJson(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}
