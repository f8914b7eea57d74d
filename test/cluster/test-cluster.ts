import { setTimeout as sleep } from 'node:timers/promises';
import { queryPostgres } from '../../packages/server/test/storage/postgres-server.ts';
import { freePort } from '../test-utils/free-port.ts';
import { adminToken, startServer, type ServerProcess } from '../test-utils/server-process.ts';
import { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** One server of a cluster, which can be killed, paused and cut off. */
export interface Member {
  server: ServerProcess;
  /** Between this server and PostgreSQL. */
  engine: Omit<TcpProxy, 'port'>;
  /** Between the other servers and this one. */
  peers: TcpProxy;
  kill(): Promise<void>;
  /** Starts the server again, by default with the built version of the program. */
  restart(program?: string): Promise<void>;
  /** Stops the server as an operator does. Rejects if it does not end cleanly. */
  stop(): Promise<void>;
}

export interface Cluster {
  members: Member[];
  /** Resolves with the address of the server that holds the log, as PostgreSQL names it. Null while none holds it. */
  holderUrl(): Promise<string | null>;
  close(): Promise<void>;
}

/** Starts servers on one database. */
export async function startCluster(
  count: number,
  database: string,
  settings: Record<string, string> = {},
): Promise<Cluster> {
  const members: Member[] = [];
  for (let index = 0; index < count; index++) members.push(await startMember(database, settings));
  return {
    members,
    holderUrl: () => readHolderUrl(database),
    async close() {
      for (const { server, engine, peers } of members) {
        await server.kill();
        engine.close();
        peers.close();
      }
    },
  };
}

async function readHolderUrl(database: string): Promise<string | null> {
  const { rows } = await queryPostgres(
    database,
    'SELECT s.address FROM service.log l JOIN service.server s ON s.id = l.holder',
  );
  return (rows as { address: string }[])[0]?.address ?? null;
}

async function startMember(database: string, settings: Record<string, string>): Promise<Member> {
  const engine: TcpProxy[] = [];
  let address = database;
  for (const [host, enginePort] of database.matchAll(/127\.0\.0\.1:(\d+)/g)) {
    const proxy = await startTcpProxy(() => Number(enginePort));
    engine.push(proxy);
    address = address.replace(host, `127.0.0.1:${proxy.port}`);
  }
  const port = await freePort();
  const peers = await startTcpProxy(() => port);
  const start = (program?: string): Promise<ServerProcess> => {
    const environment = {
      SERVICE_PORT: String(port),
      SERVICE_CLUSTER_URL: `http://127.0.0.1:${peers.port}`,
      SERVICE_LOG_LEVEL: 'silent',
      ...settings,
    };
    return startServer(address, [], environment, program);
  };
  const member: Member = {
    server: await start(),
    engine: {
      cutOff: () => engine.forEach((proxy) => proxy.cutOff()),
      hang: () => engine.forEach((proxy) => proxy.hang()),
      delay: (ms) => engine.forEach((proxy) => proxy.delay(ms)),
      reconnect: () => engine.forEach((proxy) => proxy.reconnect()),
      close: () => engine.forEach((proxy) => proxy.close()),
    },
    peers,
    kill: () => member.server.kill(),
    restart: async (program) => void (member.server = await start(program)),
    async stop() {
      process.kill(member.server.pid, 'SIGTERM');
      const code = await member.server.exited;
      if (code !== 0) throw new Error(`The server stopped with ${code}.`);
    },
  };
  return member;
}

/**
 * Calls the API of any member until one answers with a status below 500. Rejects after two minutes, or at once if the
 * status is 500 or above, but not 503.
 */
export async function callAny(
  cluster: Cluster,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Record<string, unknown>; attempts: number }> {
  const until = performance.now() + 120_000;
  for (let attempts = 1; ; attempts++) {
    const member = cluster.members[Math.floor(Math.random() * cluster.members.length)] as Member;
    try {
      const response = await fetch(`${member.server.url}/api/v1/${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, 'content-type': 'application/json' },
        signal: AbortSignal.timeout(20_000),
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      if (response.status < 500) return { status: response.status, body: parse(text), attempts };
      if (response.status !== 503) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    } catch (error) {
      if (performance.now() > until || (error as Error).message.startsWith(method)) throw error;
    }
    if (performance.now() > until) throw new Error(`No server has handled ${method} ${path}.`);
    await sleep(50);
  }
}

/** Returns how many reports were counted. */
export async function countReports(running: Cluster): Promise<number> {
  const { body } = await callAny(running, 'GET', 'errors');
  return (body.items as { count: number }[]).reduce((sum, { count }) => sum + count, 0);
}

function parse(text: string): Record<string, unknown> {
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
