import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { startBackground } from '../../src/background.ts';
import type { ConfigInput } from '../../src/index.ts';
import { openMemoryDriver } from '../../src/storage/unstorage/memory.ts';
import type { StorageDriver } from '../../src/store/log/storage-driver.ts';
import type { Edges } from '../../src/services.ts';
import { openService, type OpenService } from '../test-utils/open-service.ts';

const cleanups: (() => Promise<unknown>)[] = [];

/** Closes every server and service that this file has opened. For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const close of cleanups.splice(0).toReversed()) await close();
}

/** Opens a service that delivers the messages of its outbox. */
export async function openNotifyingService(config: ConfigInput = {}, edges: Edges = {}): Promise<OpenService> {
  const service = await openService({ allowPrivateWebhooks: true, ...config }, edges);
  startBackground(service.services);
  cleanups.push(() => service.close());
  return service;
}

/** Starts a local chat server. It responds with `status`, or never if `responds` is false. */
export async function startChat(responds = true, status = 200): Promise<{ port: number; texts: string[] }> {
  const texts: string[] = [];
  const server = createHttpServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    texts.push((JSON.parse(Buffer.concat(chunks).toString()) as { text: string }).text);
    if (responds) response.writeHead(status).end();
  });
  cleanups.push(async () => server.closeAllConnections());
  return { port: await listen(server), texts };
}

/** Starts a mail server. It rejects each recipient with the given codes in order, then accepts it. */
export async function startMailServer(
  rejections: Record<string, number[]>,
): Promise<{ url: string; mails: readonly string[][] }> {
  const mails: string[][] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo({ address }, _session, done) {
      const responseCode = rejections[address]?.shift();
      done(responseCode === undefined ? null : Object.assign(new Error('Not today.'), { responseCode }));
    },
    onData(stream, session, done) {
      stream.resume();
      stream.on('end', () => {
        mails.push(session.envelope.rcptTo.map(({ address }) => address));
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`, mails };
}

/** Starts a server that accepts connections and never responds. */
export async function startSilentServer(): Promise<{ port: number; open: Set<Socket> }> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket));
    socket.on('error', () => socket.destroy());
    cleanups.push(async () => socket.destroy());
  });
  return { port: await listen(server), open };
}

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

export interface NotifiedProject {
  id: number;
  report(message: string): Promise<void>;
}

/** Creates a project that notifies by webhook, or by e-mail if `webhook` is null. */
export async function createNotifiedProject(
  { call }: OpenService,
  webhook: string | null,
  recipients = ['team@shop.example'],
): Promise<NotifiedProject> {
  const { body: project } = await call('POST', 'projects', { body: { name: 'Shop' } });
  const { status } = await call('PUT', `projects/${project.id}/notifications`, {
    body: {
      email: { enabled: webhook === null, to: webhook === null ? recipients : [] },
      webhook: { enabled: webhook !== null, url: webhook, format: 'slack' },
    },
  });
  if (status !== 200) throw new Error(`The settings were rejected: ${status}.`);
  return {
    id: project.id ?? 0,
    async report(message) {
      const response = await call('POST', 'errors', { body: { project_api_key: project.api_key, message } });
      if (response.status !== 200) throw new Error(`A report was rejected: ${response.status} ${response.text}`);
    },
  };
}

/** Opens a storage in memory. `fails` is called before each append to the log and decides whether it fails. */
export async function openFailingDriver(fails: () => boolean): Promise<StorageDriver> {
  const driver = await openMemoryDriver();
  const { log } = driver;
  return {
    ...driver,
    log: {
      get sizeBytes() {
        return log.sizeBytes;
      },
      dropped: log.dropped,
      read: () => log.read(),
      append: async (number, bytes, bodies) => {
        if (fails()) throw new Error('The disk fails.');
        return log.append(number, bytes, bodies);
      },
      readAt: (position, offset, length) => log.readAt(position, offset, length),
      seal: () => log.seal(),
      dropBefore: (number) => log.dropBefore(number),
    },
  };
}
