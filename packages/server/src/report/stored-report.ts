import type { StoredReport } from '@service/protocol';
import { jsonText } from '../validation/json.ts';
import { readReport, type ReportRequest, type SentReport } from './read-report.ts';

/** Larger ones are kept as they are after the cuts. */
const asSentBytes = 16 * 1024;

/**
 * A report as it is kept: most as the very bytes that came in, for taking them apart and putting them together again
 * would cost more than all the rest of storing them.
 */
export function bytesToKeep(report: SentReport, sent: Buffer, { userAgent }: ReportRequest): Uint8Array | string {
  // Of what only the headers said, the body knows nothing.
  const isAllThere = report.hasUserAgent || userAgent === null;
  return isAllThere && sent.length <= asSentBytes ? sent : JSON.stringify(report.whole());
}

/** Reads what `bytesToKeep` gave. `receivedAt` in milliseconds. */
export function readKeptReport(bytes: Buffer, receivedAt: number): StoredReport {
  const kept = JSON.parse(jsonText(bytes)) as Record<string, unknown>;
  // What was sent names the key that it came with; what was made of it does not.
  if (!('project_api_key' in kept)) return kept as unknown as StoredReport;
  return readReport(kept, { userAgent: null, receivedAt }).whole();
}
