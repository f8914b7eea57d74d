import { describe, expect, test } from 'vitest';
import { TrustedProxies } from '../../src/proxies/trusted-proxies.ts';

describe('clientAddress', () => {
  const rows: [trusted: string, socket: string, forwarded: string | null, client: string][] = [
    // Without trusted proxies the header is ignored: any client can set it.
    ['', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['', '127.0.0.1', '198.51.100.7', '127.0.0.1'],
    ['loopback', '192.0.2.1', '198.51.100.7', '192.0.2.1'],
    ['loopback', '127.0.0.1', null, '127.0.0.1'],
    ['loopback', '127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['loopback', '127.8.8.8', '198.51.100.7', '198.51.100.7'],
    ['loopback', '::1', '198.51.100.7', '198.51.100.7'],
    ['loopback', '::ffff:127.0.0.1', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.7', '10.0.0.7', '198.51.100.7', '198.51.100.7'],
    ['10.0.0.7', '10.0.0.8', '198.51.100.7', '10.0.0.8'],
    ['10.0.0.0/8', '::ffff:10.9.9.9', '198.51.100.7', '198.51.100.7'],
    ['::ffff:10.0.0.7', '10.0.0.7', '198.51.100.7', '198.51.100.7'],
    ['fd00::/8', 'fd12::1', '198.51.100.7', '198.51.100.7'],
    // Entries that the client itself sent are to the left of those that proxies append.
    ['loopback', '127.0.0.1', '203.0.113.9, 198.51.100.7', '198.51.100.7'],
    ['loopback', '127.0.0.1', '127.0.0.1, 198.51.100.7', '198.51.100.7'],
    ['loopback', '127.0.0.1', 'rubbish, 198.51.100.7', '198.51.100.7'],
    ['loopback,10.0.0.0/8', '127.0.0.1', '203.0.113.9, 198.51.100.7, 10.1.1.1', '198.51.100.7'],
    ['loopback,10.0.0.0/8', '127.0.0.1', '10.2.2.2, 10.1.1.1', '10.2.2.2'],
    // If a proxy does not name its client, the proxy counts as the client.
    ['loopback', '127.0.0.1', '', '127.0.0.1'],
    ['loopback', '127.0.0.1', 'unknown', '127.0.0.1'],
    ['loopback', '127.0.0.1', '198.51.100.7, unknown', '127.0.0.1'],
    ['loopback', '127.0.0.1', '198.51.100.7,', '127.0.0.1'],
    // Different spellings of an address are normalized.
    ['loopback', '127.0.0.1', '198.51.100.7:5123', '198.51.100.7'],
    ['loopback', '127.0.0.1', '[2001:DB8:0:0::1]:443', '2001:db8::1'],
    ['loopback', '127.0.0.1', '2001:0db8::0001', '2001:db8::1'],
    ['loopback', '127.0.0.1', '::ffff:198.51.100.7', '198.51.100.7'],
    ['loopback', '127.0.0.1', '::ffff:c633:6407', '198.51.100.7'],
    ['', '::ffff:192.0.2.1', null, '192.0.2.1'],
    ['', 'fe80::1%eth0', null, 'fe80::1'],
    // A closed socket has no address and is no trusted proxy.
    ['loopback,0.0.0.0/0,::/0', '', '198.51.100.7', ''],
  ];

  test.each(rows)(
    'clientAddress with trusted proxies %j, socket %j and header %j returns %j',
    (trusted, socket, forwarded, client) => {
      expect(new TrustedProxies(trusted.split(',').filter(Boolean)).clientAddress(socket, forwarded)).toBe(client);
    },
  );
});

test('a header from an address that is not trusted is reported once', () => {
  const ignored: string[] = [];
  const proxies = new TrustedProxies(['10.0.0.0/8'], (address) => ignored.push(address));
  proxies.clientAddress('10.0.0.7', '198.51.100.7');
  proxies.clientAddress('192.0.2.1', null);
  expect(ignored).toEqual([]);
  proxies.clientAddress('192.0.2.1', '198.51.100.7');
  proxies.clientAddress('192.0.2.2', '198.51.100.7');
  expect(ignored).toEqual(['192.0.2.1']);
});

test('a request that was forwarded without the address of its client is reported, too', () => {
  const ignored: string[] = [];
  const proxies = new TrustedProxies(['10.0.0.0/8'], (address) => ignored.push(address));
  proxies.warnIfUntrusted('::ffff:10.0.0.7');
  expect(ignored).toEqual([]);
  proxies.warnIfUntrusted('192.0.2.1');
  expect(ignored).toEqual(['192.0.2.1']);
});
