import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { HostsFile } from '../../src/outgoing/hosts-file.ts';
import { NameLookup } from '../../src/outgoing/name-lookup.ts';
import { NameServers, type Answer } from '../../src/outgoing/name-servers.ts';
import { cleanUp, temporaryFolder } from '../test-utils/service.ts';
import { freePort } from '../storage/redis-server.ts';
import { startNameServer } from './name-server.ts';

const stops: AbortController[] = [];
const ends: (() => void)[] = [];

afterEach(async () => {
  for (const stop of stops.splice(0)) stop.abort(new Error('The test is over.'));
  for (const end of ends.splice(0)) end();
  await cleanUp();
});

function untilTheEnd(): AbortSignal {
  const stop = new AbortController();
  stops.push(stop);
  return stop.signal;
}

/** A machine that tells of whom it is asked. */
function machineOf(answers: Record<string, string> = {}) {
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

async function nameServersOf(answers: Record<string, string | null>) {
  const server = await startNameServer(answers);
  ends.push(() => server.close());
  const nameServers = new NameServers([server.address]);
  return { asked: server.asked, nameServers: (host: string) => nameServers.ask(host) };
}

const isLocal = async (): Promise<boolean> => false;
const chat = { address: '93.184.215.14', family: 4 };

describe('names that strangers have chosen', () => {
  test('hold up nobody else and keep no thread busy, however many are never answered', async () => {
    const silent = Array.from({ length: 100 }, (_, index) => `silent${index}.example`);
    const { nameServers, asked } = await nameServersOf({
      ...Object.fromEntries(silent.map((host) => [host, null])),
      'hooks.example': chat.address,
    });
    const machine = machineOf();
    const lookups = new NameLookup(false, { isLocal, nameServers, machine: machine.machine });
    const lost = silent.map((host) => lookups.find(host, untilTheEnd()).catch(String));
    await expect.poll(() => silent.every((host) => asked.includes(host))).toBe(true);
    expect(await lookups.find('hooks.example', untilTheEnd())).toEqual([chat]);
    expect(machine.asked).toEqual([]);
    for (const stop of stops) stop.abort(new Error('enough'));
    expect(new Set(await Promise.all(lost))).toEqual(new Set(['Error: enough']));
  });

  test('lead nowhere if name servers know none of them, whatever the own network calls so', async () => {
    const { nameServers } = await nameServersOf({});
    const machine = machineOf({ chat: '10.0.0.7' });
    const lookups = new NameLookup(false, { isLocal, nameServers, machine: machine.machine });
    expect(await lookups.find('chat', untilTheEnd())).toEqual([]);
    expect(machine.asked).toEqual([]);
  });

  test('are looked up by the machine where there is no name server to ask', async () => {
    const nameServers = new NameServers([`127.0.0.1:${await freePort()}`]);
    const { machine } = machineOf({ 'hooks.example': chat.address });
    const lookups = new NameLookup(false, { isLocal, nameServers: (host) => nameServers.ask(host), machine });
    expect(await lookups.find('hooks.example', untilTheEnd())).toEqual([chat]);
  });
});

describe('where private networks are allowed', () => {
  test('the machine has the last word, also on names that name servers know', async () => {
    const { nameServers } = await nameServersOf({ 'chat.dev': chat.address });
    const { machine } = machineOf({ 'chat.dev': '10.0.0.7', chat: '10.0.0.8' });
    const lookups = new NameLookup(true, { isLocal, nameServers, machine });
    expect(await lookups.find('chat.dev', untilTheEnd())).toEqual([{ address: '10.0.0.7', family: 4 }]);
    expect(await lookups.find('chat', untilTheEnd())).toEqual([{ address: '10.0.0.8', family: 4 }]);
  });

  test('names that are not answered wait for one another, and nobody waits for them', async () => {
    const nameServers = async (host: string): Promise<Answer> => ({
      addresses: [],
      kind: host.startsWith('silent') ? 'silent' : 'answered',
    });
    const { machine, asked } = machineOf({ 'hooks.example': chat.address });
    const lookups = new NameLookup(true, { isLocal, nameServers, machine });
    const silent = Array.from({ length: 8 }, (_, index) => lookups.find(`silent${index}.example`, untilTheEnd()));
    await expect.poll(() => asked).toEqual(['silent0.example']);
    expect(await lookups.find('hooks.example', untilTheEnd())).toEqual([chat]);
    for (const stop of stops) stop.abort(new Error('enough'));
    expect((await Promise.allSettled(silent)).every(({ status }) => status === 'rejected')).toBe(true);
    expect(asked).toEqual(['silent0.example', 'hooks.example']);
  });
});

test('names of the hosts file, and of this machine, are asked of nobody else', async () => {
  const path = join(await temporaryFolder(), 'hosts');
  await writeFile(path, '# ours\n10.0.0.7\tchat.internal Chat # the old.example one\r\n');
  const hosts = new HostsFile(path);
  const { nameServers, asked } = await nameServersOf({ 'chat.internal': chat.address });
  const { machine } = machineOf({ 'chat.internal': '10.0.0.7' });
  const lookups = new NameLookup(false, { isLocal: (host) => hosts.has(host), nameServers, machine });
  expect(await lookups.find('chat.internal', untilTheEnd())).toEqual([{ address: '10.0.0.7', family: 4 }]);
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
