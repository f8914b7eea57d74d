import type { StoredReport } from '@service/protocol';
import { jsonText } from '../validation/json.ts';
import { parseReport, type ParsedReport, type SentReport } from './parse-report.ts';

/** Larger ones are kept as they are after the cuts. */
const maxRawBytes = 16 * 1024;

/**
 * A report as it is kept: most as the very bytes that came in, for taking them apart and putting them together again
 * would cost more than all the rest of storing them.
 */
export function bytesToStore(
  report: ParsedReport,
  sent: Buffer,
  { userAgent }: Pick<SentReport, 'userAgent'>,
): Uint8Array | string {
  // Of what only the headers said, the body knows nothing.
  const isAllThere = report.hasUserAgent || userAgent === null;
  return isAllThere && sent.length <= maxRawBytes ? sent : JSON.stringify(report.whole());
}

/** Reads what `bytesToKeep` gave. `receivedAt` in milliseconds. */
export function readStoredReport(bytes: Buffer, receivedAt: number): StoredReport {
  const kept = JSON.parse(jsonText(bytes)) as Record<string, unknown>;
  // What was sent names the key that it came with; what was made of it does not.
  if (!('project_api_key' in kept)) return kept as unknown as StoredReport;
  return parseReport(kept, { userAgent: null, receivedAt }).whole();
}
