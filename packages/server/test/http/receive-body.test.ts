import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { receiveBody } from '../../src/http/body.ts';
import type { Incoming } from '../../src/http/incoming.ts';

function compressed(body: Buffer, address = '127.0.0.1'): Incoming {
  const headers: Record<string, string> = { 'content-encoding': 'gzip', 'content-length': String(body.length) };
  return {
    header: (name) => headers[name] ?? null,
    body: () => Readable.from([body]),
    socketAddress: () => address,
  };
}

test.each([
  ['the address', () => ({ busy: '198.51.100.1', other: '198.51.100.2' }), false],
  ['the given client', () => ({ busy: '127.0.0.1', other: '127.0.0.1' }), true],
])('clients, identified by %s, take turns to have bodies decompressed', async (_name, addresses, hasClients) => {
  const large = gzipSync(Buffer.alloc(500_000, 'x'));
  const done: string[] = [];
  const receive = async (name: 'busy' | 'other'): Promise<void> => {
    const request = compressed(large, addresses()[name]);
    const { bytes, release } = await receiveBody(request, 1_000_000, hasClients ? { client: () => name } : {});
    release();
    expect(bytes).toHaveLength(500_000);
    done.push(name);
  };
  const busy = Array.from({ length: 40 }, () => receive('busy'));
  await Promise.all([...busy, receive('other')]);
  expect(done).toHaveLength(41);
  // Four bodies are decompressed at a time.
  expect(done.indexOf('other')).toBeLessThan(10);
});
