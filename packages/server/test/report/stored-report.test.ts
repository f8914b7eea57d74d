import { describe, expect, test } from 'vitest';
import { jsonText } from '../../src/validation/json.ts';
import { bytesToStore, readStoredReport } from '../../src/report/stored-report.ts';
import { parseReport } from '../../src/report/parse-report.ts';

const receivedAt = Date.parse('2026-03-01T10:00:00.000Z');
const sent = {
  project_api_key: '0'.repeat(32),
  message: 'Käse 🧀 is out',
  stacktrace: 'Error: Käse\n    at buy (https://shop.example/app.js:1:2)',
  metadata: { cart: { items: [1, 2, 3] } },
  breadcrumbs: [{ category: 'click' }, 'no breadcrumb', { category: 'fetch', data: { status: 500 } }],
  timestamp: 'yesterday',
  unknown: { to: 'us' },
};

function store(body: Record<string, unknown>, userAgent: string | null = null): Buffer {
  const bytes = Buffer.from(JSON.stringify(body));
  const value = JSON.parse(jsonText(bytes)) as Record<string, unknown>;
  const request = { userAgent, receivedAt };
  return Buffer.from(bytesToStore(parseReport(value, request), bytes, request));
}

describe('a stored report', () => {
  test('is read back as it was parsed on arrival', () => {
    const stored = store(sent);
    expect(stored).toEqual(Buffer.from(JSON.stringify(sent)));
    expect(readStoredReport(stored, receivedAt)).toEqual(parseReport(sent, { userAgent: null, receivedAt }).whole());
  });

  test('contains a user agent that only the header had', () => {
    expect(readStoredReport(store(sent, 'Firefox'), receivedAt).user_agent).toBe('Firefox');
    expect(readStoredReport(store({ ...sent, user_agent: 'Chrome' }, 'Firefox'), receivedAt).user_agent).toBe('Chrome');
    expect(readStoredReport(store({ ...sent, user_agent: '' }, 'Firefox'), receivedAt).user_agent).toBe('');
  });

  test('gives breadcrumbs without a time that of its arrival', () => {
    const [breadcrumb] = readStoredReport(store(sent, 'Firefox'), receivedAt + 5).breadcrumbs;
    expect(breadcrumb?.timestamp).toBe('2026-03-01T10:00:00.000Z');
    const [asSent] = readStoredReport(store(sent), receivedAt).breadcrumbs;
    expect(asSent?.timestamp).toBe('2026-03-01T10:00:00.000Z');
  });

  test('is compressed if it is large', () => {
    const large = { ...sent, metadata: { cart: Array.from({ length: 400 }, (_, id) => ({ id, name: 'Käse 🧀' })) } };
    const stored = store(large);
    expect(stored.length).toBeLessThan(JSON.stringify(large).length / 5);
    expect(readStoredReport(stored, receivedAt)).toEqual(parseReport(large, { userAgent: null, receivedAt }).whole());
  });

  test('is truncated before it is stored if it is large', () => {
    const large = { ...sent, message: 'x'.repeat(20_000), unknown: 'y'.repeat(100_000) };
    const stored = store(large);
    expect(stored.length).toBeLessThan(10_000);
    expect(readStoredReport(stored, receivedAt)).toEqual(parseReport(large, { userAgent: null, receivedAt }).whole());
  });

  test('has no fingerprint, tags and device if it was serialized before these fields existed', () => {
    const { fingerprint, tags, device, ...older } = parseReport(sent, { userAgent: 'Firefox', receivedAt }).whole();
    expect(readStoredReport(Buffer.from(JSON.stringify(older)), receivedAt)).toEqual({
      ...older,
      fingerprint: null,
      tags: {},
      device: null,
    });
    expect([fingerprint, tags, device]).toEqual([null, {}, null]);
  });

  test('distinguishes fields of a client from a serialized report', () => {
    const body = { ...sent, truncated: { message: 'no' }, level: 'nonsense' };
    expect(readStoredReport(store(body), receivedAt)).toMatchObject({
      level: 'error',
      truncated: { level: 'dropped', timestamp: 'dropped', breadcrumbs: 3 },
    });
  });
});
