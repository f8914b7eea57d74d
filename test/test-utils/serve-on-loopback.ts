import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';

export interface LoopbackServer {
  /** Ends with a slash. */
  url: string;
  /** Closes all connections, also those with a pending request. */
  dropConnections(): void;
  /** Resolves once all clients have left, and everything that they have sent is read. */
  waitUntilLeft(): Promise<void>;
  close(): Promise<void>;
}

/** Serves on a free loopback port, so that its origin differs from that of each running server. */
export async function serveOnLoopback(listener: RequestListener): Promise<LoopbackServer> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    dropConnections: () => server.closeAllConnections(),
    async waitUntilLeft() {
      // Connections are accepted in order: once this one is, all earlier ones are.
      const accepted = new Set<number | undefined>();
      const accept = ({ remotePort }: Socket): void => void accepted.add(remotePort);
      server.on('connection', accept);
      const last = connect(port, '127.0.0.1');
      await once(last, 'connect');
      while (!accepted.has(last.localPort)) await sleep(5);
      server.off('connection', accept);
      last.destroy();
      while ((await promisify(server.getConnections.bind(server))()) > 0) await sleep(5);
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
