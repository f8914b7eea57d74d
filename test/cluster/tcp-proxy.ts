import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { Transform } from 'node:stream';

/** Passes connections on to a port of this machine, until it is cut off. */
export interface TcpProxy {
  port: number;
  /** Closes all connections and accepts none until `reconnect`. */
  cutOff(): void;
  /** Passes nothing on any more, and closes no connection. */
  hang(): void;
  /** Passes the responses on later by this time. */
  delay(ms: number): void;
  /** Accepts connections again. */
  reconnect(): void;
  close(): void;
}

/** Starts a proxy. `target` returns the port to which a connection is passed on. */
export async function startTcpProxy(target: () => number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isCutOff = false;
  let isHanging = false;
  let delayMs = 0;
  const server = createServer((incoming) => {
    if (isCutOff) return void incoming.destroy();
    if (isHanging) return void sockets.add(incoming.on('error', () => undefined));
    const outgoing = connect(target(), '127.0.0.1');
    for (const socket of [incoming, outgoing]) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => undefined);
      socket.once('close', () => {
        sockets.delete(socket);
        incoming.destroy();
        outgoing.destroy();
      });
    }
    incoming.pipe(outgoing).pipe(delayed()).pipe(incoming);
  }).listen(0, '127.0.0.1');
  const delayed = (): Transform =>
    new Transform({
      transform: (chunk, _, pass) => void (delayMs ? setTimeout(pass, delayMs, null, chunk) : pass(null, chunk)),
    });
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    cutOff() {
      isCutOff = true;
      for (const socket of sockets) socket.destroy();
    },
    hang() {
      isHanging = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    delay: (ms) => void (delayMs = ms),
    reconnect: () => void (isCutOff = false),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
