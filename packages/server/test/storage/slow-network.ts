import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy that can delay and cut connections. */
export interface SlowNetwork {
  readonly port: number;
  /** Holds all further data that clients send on current connections. New connections are not delayed. */
  hold(): void;
  /** Delivers the held data, even if the client has closed its connection. Then closes the delayed connections. */
  release(): Promise<void>;
  /** Closes all connections and accepts none until `mend`. */
  cut(): void;
  mend(): void;
  close(): void;
}

/** Starts a proxy to a port of this machine. */
export async function slowNetwork(port: number): Promise<SlowNetwork> {
  const lines = new Set<{ client: Socket; server: Socket; held: Buffer[] | null }>();
  let isCut = false;
  const network = createServer((client) => {
    if (isCut) return void client.destroy();
    const line = { client, server: connect(port, '127.0.0.1'), held: null as Buffer[] | null };
    lines.add(line);
    client.on('data', (bytes) => (line.held ? line.held.push(bytes) : line.server.write(bytes)));
    line.server.on('data', (bytes) => client.write(bytes));
    // While data is held, the end of the client connection is held as well.
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
