import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Systems give ports from 32,768 on to outgoing connections and to servers that ask for any port. One of these could
 * take the port before the test does, or while its server is restarted.
 */
const firstPort = 15_000;
const lastPort = 32_767;

/** Resolves with a port of the loopback address that is free now, and that only another call could take. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * (lastPort - firstPort + 1));
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
