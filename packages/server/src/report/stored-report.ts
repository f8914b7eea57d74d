import { gunzipSync, gzipSync } from 'node:zlib';
import { nullFields, StoredReport } from '@service/protocol';
import { jsonText } from '../validation/json.ts';
import { parseReport, type ParsedReport, type SentReport } from './parse-report.ts';

/** Larger reports are stored after truncation. */
const maxRawBytes = 16 * 1024;
/**
 * Larger reports are stored compressed. Most are smaller, and compressing them would cost more than the rest of
 * storing.
 */
const maxPlainBytes = 8 * 1024;
/** A compressed report has at most this many bytes when it is unpacked. */
const maxStoredBytes = 4 * 1024 * 1024;
/** The first byte of gzip. JSON begins with another one. */
const gzipMark = 0x1f;

/**
 * Returns the bytes to store for a report. Most reports are stored as the bytes that were sent: to serialize them again
 * would cost more than the rest of storing.
 */
export function bytesToStore(
  report: ParsedReport,
  sent: Buffer | string,
  { userAgent }: Pick<SentReport, 'userAgent'>,
): Uint8Array | string {
  // A user agent that only the header has would be lost.
  const isAllThere = report.hasUserAgent || userAgent === null;
  const stored = isAllThere && sent.length <= maxRawBytes ? sent : JSON.stringify(report.whole());
  // The fastest level: repetitive texts compress well on every level.
  return stored.length > maxPlainBytes ? gzipSync(stored, { level: 1 }) : stored;
}

/** A report that was serialized before a field existed does not have it. */
const absentFields = { ...nullFields(StoredReport), tags: {} };

/** Reads a report that `bytesToStore` returned. `receivedAt` is in milliseconds since 1970. */
export function readStoredReport(bytes: Buffer, receivedAt: number): StoredReport {
  const json = bytes[0] === gzipMark ? gunzipSync(bytes, { maxOutputLength: maxStoredBytes }) : bytes;
  const stored = JSON.parse(jsonText(json)) as Record<string, unknown>;
  // A sent body contains the API key; a serialized report does not.
  if (!('project_api_key' in stored)) return { ...absentFields, ...stored } as unknown as StoredReport;
  return parseReport(stored, { userAgent: null, receivedAt }).whole();
}
