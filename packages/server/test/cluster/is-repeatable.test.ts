import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { isRepeatable } from '../../src/cluster/is-repeatable.ts';
import { reportPath } from '../../src/receive/receive-report.ts';

const eventId = '0f8fad5b-d9cb-469f-a165-70867728950e';

function isSentAgain(method: string, url: string, body: Buffer | string | null): boolean {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const request = { method, url } as IncomingMessage;
  return isRepeatable({ request, response: {} as never, client: '203.0.113.7', body: bytes, mayBeStored: false });
}

test('of requests that may have been handled, only reads and reports with a valid id are sent again', () => {
  const report = (id: unknown): string => JSON.stringify({ message: 'It broke', event_id: id });
  expect(isSentAgain('GET', '/api/v1/projects', '')).toBe(true);
  expect(isSentAgain('GET', '/api/v1/projects', null)).toBe(false);
  expect(isSentAgain('POST', '/api/v1/projects', report(eventId))).toBe(false);
  expect(isSentAgain('POST', reportPath, report(eventId))).toBe(true);
  expect(isSentAgain('POST', reportPath, report(eventId.toUpperCase()))).toBe(true);
  expect(isSentAgain('POST', reportPath, gzipSync(report(eventId)))).toBe(false);
  expect(isSentAgain('POST', reportPath, null)).toBe(false);
});

// Such an id is dropped, so a second attempt would be counted as another report.
test.each(['order-17', '', eventId.slice(1), eventId.replaceAll('-', ''), 17, null])(
  'a report with the event_id %j is not sent again',
  (id) => expect(isSentAgain('POST', reportPath, JSON.stringify({ event_id: id }))).toBe(false),
);
