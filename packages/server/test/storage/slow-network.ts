import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface SlowNetwork {
  readonly port: number;
  /** From now on nothing gets through of what the connections of this moment send; later ones are not held up. */
  hold(): void;
  /** What was held up arrives, even if its sender has long given up. */
  release(): Promise<void>;
  /** Breaks all connections, and takes none until it is mended. */
  cut(): void;
  mend(): void;
  close(): void;
}

/** Stands between a client and a port of this machine. */
export async function slowNetwork(port: number): Promise<SlowNetwork> {
  const lines = new Set<{ client: Socket; server: Socket; held: Buffer[] | null }>();
  let isCut = false;
  const network = createServer((client) => {
    if (isCut) return void client.destroy();
    const line = { client, server: connect(port, '127.0.0.1'), held: null as Buffer[] | null };
    lines.add(line);
    client.on('data', (bytes) => (line.held ? line.held.push(bytes) : line.server.write(bytes)));
    line.server.on('data', (bytes) => client.write(bytes));
    // A line that is held up does not tell that its sender hung up, either.
    client.on('close', () => line.held ?? line.server.end());
    line.server.on('close', () => client.destroy());
    for (const socket of [client, line.server]) socket.on('error', () => socket.destroy());
  }).listen(0, '127.0.0.1');
  await once(network, 'listening');
  const destroyAll = (): void => {
    for (const { client, server } of lines) for (const socket of [client, server]) socket.destroy();
  };
  return {
    port: (network.address() as AddressInfo).port,
    hold() {
      for (const line of lines) line.held = [];
    },
    async release() {
      for (const { server, held } of lines) {
        if (!held) continue;
        server.end(Buffer.concat(held));
        if (!server.closed) await once(server, 'close');
      }
    },
    cut() {
      isCut = true;
      destroyAll();
    },
    mend() {
      isCut = false;
    },
    close() {
      network.close();
      destroyAll();
    },
  };
}
