import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { ReportLimits } from '../../src/limits/report-limits.ts';
import { TrustedProxies } from '../../src/proxies/trusted-proxies.ts';
import { describeInMemory, type CallOptions } from '../test-utils/describe-service.ts';

/** Returns the header that a trusted proxy on this machine sends for a client. */
const from = (address: string): CallOptions => ({ headers: { 'x-forwarded-for': address } });

describeInMemory('reports of one IP address', (start) => {
  test('reports over the limit of their address are rejected with 503, and those of others are accepted', async () => {
    const { call, report } = await start({ trustProxy: ['loopback'], addressReportsPerMinute: 3 });
    const statuses = async (address: string, count: number): Promise<number[]> => {
      const found: number[] = [];
      for (let sent = 0; sent < count; sent++) found.push((await report({}, from(address))).status);
      return found;
    };
    expect(await statuses('203.0.113.7', 4)).toEqual([200, 200, 200, 503]);
    expect(await statuses('203.0.113.8', 1)).toEqual([200]);
    const rejected = await report({}, { headers: { ...from('203.0.113.7').headers, origin: 'http://localhost:5173' } });
    expect([rejected.status, rejected.body.code]).toEqual([503, 'overloaded']);
    expect(rejected.headers.get('retry-after')).toBe('5');
    // The page can read the response, and sends the report again later.
    expect(rejected.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    const { text } = await call('GET', '/metrics');
    expect(text).toContain('service_reports_address_limited_total 2');
    expect(text).toContain('service_reports_refused_total{reason="overloaded"} 2');
  });

  test('the addresses of an IPv6 /64 network count as one', async () => {
    const { report } = await start({ trustProxy: ['loopback'], addressReportsPerMinute: 1 });
    expect((await report({}, from('2001:db8::1'))).status).toBe(200);
    expect((await report({}, from('2001:db8::2'))).status).toBe(503);
    expect((await report({}, from('2001:db8:0:1::1'))).status).toBe(200);
  });

  test('reports without a known key count, too', async () => {
    const { report } = await start({ trustProxy: ['loopback'], addressReportsPerMinute: 1 });
    expect((await report({ project_api_key: 'unknown' }, from('203.0.113.7'))).status).toBe(401);
    expect((await report({}, from('203.0.113.7'))).status).toBe(503);
  });

  test('bytes count after decompression', async () => {
    const { call, project, report } = await start({ trustProxy: ['loopback'], addressMbPerMinute: 1 });
    const body = gzipSync(JSON.stringify({ project_api_key: project.api_key, message: 'x'.repeat(800_000) }));
    const headers = { ...from('203.0.113.7').headers, 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect(body.length).toBeLessThan(10_000);
    // The second report begins within the limit, and ends over it.
    for (const expected of [200, 200, 503])
      expect((await call('POST', 'errors', { body, headers, token: null })).status).toBe(expected);
    expect((await report({}, from('203.0.113.8'))).status).toBe(200);
  });

  test('programs on the machine of the server have no limit', async () => {
    const { report } = await start({ addressReportsPerMinute: 1 });
    for (let sent = 0; sent < 3; sent++) expect((await report()).status).toBe(200);
  });
});

test('an address regains its reports over a minute, and one log line a minute names an address over the limit', () => {
  let now = 0;
  const named: string[] = [];
  const limits = new ReportLimits({
    reportsPerMinute: 60,
    bytesPerMinute: 1_000,
    proxies: new TrustedProxies([]),
    now: () => now,
    onRejected: (address) => named.push(address),
  });
  const isAdmitted = (address = '203.0.113.7'): boolean => {
    try {
      limits.admit(address, null);
      return true;
    } catch {
      return false;
    }
  };
  expect(Array.from({ length: 61 }, () => isAdmitted()).indexOf(false)).toBe(60);
  now += 1_000;
  expect([isAdmitted(), isAdmitted()]).toEqual([true, false]);
  expect(named).toEqual(['203.0.113.7']);
  now += 60_000;
  expect(Array.from({ length: 61 }, () => isAdmitted()).indexOf(false)).toBe(60);
  expect(named).toHaveLength(2);
  expect(limits.rejectedCount).toBe(3);
  // A body that is larger than the limit delays the next report, but for no longer than its bytes take.
  limits.admit('203.0.113.9', null)(2_000);
  expect(isAdmitted('203.0.113.9')).toBe(false);
  now += 61_000;
  expect(isAdmitted('203.0.113.9')).toBe(true);
});
