import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { HostsFile } from '../../src/outgoing/hosts-file.ts';
import { NameLookup } from '../../src/outgoing/name-lookup.ts';
import { NameServers, type QueryResult } from '../../src/outgoing/name-servers.ts';
import { cleanUp, temporaryFolder } from '../test-utils/describe-service.ts';
import { freePort } from '../../../../test/test-utils/free-port.ts';
import { startNameServer } from './name-server.ts';

const stops: AbortController[] = [];
const cleanups: (() => void)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort(new Error('The test is over.'));
  for (const close of cleanups.splice(0)) close();
  await cleanUp();
});

function untilTestEnd(): AbortSignal {
  const stop = new AbortController();
  stops.push(stop);
  return stop.signal;
}

/** Returns a lookup by the operating system that records the requested hosts. It never responds to other hosts. */
function fakeMachine(answers: Record<string, string> = {}) {
  const asked: string[] = [];
  return {
    asked,
    async machine(host: string) {
      asked.push(host);
      const address = answers[host];
      return address === undefined ? new Promise<never>(() => undefined) : [{ address, family: 4 }];
    },
  };
}

async function startNameServers(answers: Record<string, string | null>) {
  const server = await startNameServer(answers);
  cleanups.push(() => server.close());
  const nameServers = new NameServers([server.address]);
  return { asked: server.asked, nameServers: (host: string) => nameServers.query(host) };
}

const isLocal = async (): Promise<boolean> => false;
const chat = { address: '93.184.215.14', family: 4 };

describe('the lookup of untrusted host names', () => {
  test('lookups without a response do not block other lookups or use threads', async () => {
    const silent = Array.from({ length: 100 }, (_, index) => `silent${index}.example`);
    const { nameServers, asked } = await startNameServers({
      ...Object.fromEntries(silent.map((host) => [host, null])),
      'hooks.example': chat.address,
    });
    const machine = fakeMachine();
    const lookups = new NameLookup(false, { isLocal, nameServers, machine: machine.machine });
    const pending = silent.map((host) => lookups.find(host, untilTestEnd()).catch(String));
    await expect.poll(() => silent.every((host) => asked.includes(host))).toBe(true);
    expect(await lookups.find('hooks.example', untilTestEnd())).toEqual([chat]);
    expect(machine.asked).toEqual([]);
    for (const stop of stops) stop.abort(new Error('enough'));
    expect(new Set(await Promise.all(pending))).toEqual(new Set(['Error: enough']));
  });

  test('a host that only the local network knows has no addresses', async () => {
    const { nameServers } = await startNameServers({});
    const machine = fakeMachine({ chat: '10.0.0.7' });
    const lookups = new NameLookup(false, { isLocal, nameServers, machine: machine.machine });
    expect(await lookups.find('chat', untilTestEnd())).toEqual([]);
    expect(machine.asked).toEqual([]);
  });

  test('a host is resolved by the operating system if no name server is reachable', async () => {
    const nameServers = new NameServers([`127.0.0.1:${await freePort()}`]);
    const { machine } = fakeMachine({ 'hooks.example': chat.address });
    const lookups = new NameLookup(false, { isLocal, nameServers: (host) => nameServers.query(host), machine });
    expect(await lookups.find('hooks.example', untilTestEnd())).toEqual([chat]);
  });
});

describe('host lookups with private networks allowed', () => {
  test('the operating system resolves every host if private networks are allowed', async () => {
    const { nameServers } = await startNameServers({ 'chat.dev': chat.address });
    const { machine } = fakeMachine({ 'chat.dev': '10.0.0.7', chat: '10.0.0.8' });
    const lookups = new NameLookup(true, { isLocal, nameServers, machine });
    expect(await lookups.find('chat.dev', untilTestEnd())).toEqual([{ address: '10.0.0.7', family: 4 }]);
    expect(await lookups.find('chat', untilTestEnd())).toEqual([{ address: '10.0.0.8', family: 4 }]);
  });

  test('hosts without a response queue behind each other, and other hosts do not wait', async () => {
    const nameServers = async (host: string): Promise<QueryResult> => ({
      addresses: [],
      kind: host.startsWith('silent') ? 'silent' : 'responded',
    });
    const { machine, asked } = fakeMachine({ 'hooks.example': chat.address });
    const lookups = new NameLookup(true, { isLocal, nameServers, machine });
    const silent = Array.from({ length: 8 }, (_, index) => lookups.find(`silent${index}.example`, untilTestEnd()));
    await expect.poll(() => asked).toEqual(['silent0.example']);
    expect(await lookups.find('hooks.example', untilTestEnd())).toEqual([chat]);
    for (const stop of stops) stop.abort(new Error('enough'));
    expect((await Promise.allSettled(silent)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toEqual(['silent0.example', 'hooks.example']);
  });
});

test('hosts of the hosts file and local hosts are resolved only by the operating system', async () => {
  const path = join(await temporaryFolder(), 'hosts');
  await writeFile(path, '# ours\n10.0.0.7\tchat.internal Chat # the old.example one\r\n');
  const hosts = new HostsFile(path);
  const { nameServers, asked } = await startNameServers({ 'chat.internal': chat.address });
  const { machine } = fakeMachine({ 'chat.internal': '10.0.0.7' });
  const lookups = new NameLookup(false, { isLocal: (host) => hosts.has(host), nameServers, machine });
  expect(await lookups.find('chat.internal', untilTestEnd())).toEqual([{ address: '10.0.0.7', family: 4 }]);
  expect(asked).toEqual([]);
  const known = [
    'CHAT',
    'chat.internal.',
    'localhost',
    'shop.localhost',
    '10.0.0.7',
    'old.example',
    'ours',
    'nolocalhost',
  ];
  expect(await Promise.all(known.map((host) => hosts.has(host)))).toEqual([
    true,
    true,
    true,
    true,
    false,
    false,
    false,
    false,
  ]);
  expect(await new HostsFile(`${path}.gone`).has('chat')).toBe(false);
});
