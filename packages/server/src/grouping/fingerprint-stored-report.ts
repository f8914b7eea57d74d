import { fingerprintReport, type ReportFingerprint } from './fingerprint-report.ts';
import { stackOf } from '../report/parse-report.ts';
import { readStoredReport } from '../report/stored-report.ts';
import type { Services } from '../services.ts';
import type { GroupState } from '../store/model/group-state.ts';
import type { LogPointer } from '../store/model/log-pointer.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { symbolicateReport } from '../symbolication/symbolicate-report.ts';

/** The fingerprint that a stored report has with the current source maps. */
export interface StoredReportFingerprint extends ReportFingerprint {
  readonly usedMaps: readonly SourceMapRecord[];
}

/**
 * Computes the fingerprint of a stored report with the current source maps. Resolves with undefined if the report is
 * not stored. Also resolves with undefined if a source map is damaged or names are late: that result would soon change.
 */
export async function fingerprintStoredReport(
  services: Services,
  { id, projectId }: GroupState,
  pointer: LogPointer | undefined,
): Promise<StoredReportFingerprint | undefined> {
  const body = pointer && (await services.store.readBody(id, pointer.id));
  if (!body) return undefined;
  const facts = readStoredReport(body, pointer.at);
  const report = { facts, stack: stackOf(facts) };
  const symbolicated = await symbolicateReport(services, projectId, report);
  if (symbolicated.isDamaged || symbolicated.areNamesLate) return undefined;
  const usedMaps = [symbolicated.error, ...symbolicated.causes].flatMap((stack) => stack.usedMaps);
  return { ...fingerprintReport(report, symbolicated), usedMaps };
}
