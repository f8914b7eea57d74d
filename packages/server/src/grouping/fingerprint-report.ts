import type { FingerprintInput } from '../fingerprint/fingerprint-input.ts';
import { customFingerprint, fingerprint, type Fingerprint } from '../fingerprint/fingerprint.ts';
import type { ParsedReport } from '../report/parse-report.ts';
import type { SymbolicatedReport } from '../symbolication/symbolicate-report.ts';
import type { EarlierFingerprint } from './group-alias.ts';
import { earlierFingerprints } from './earlier-fingerprints.ts';

export interface ReportFingerprint extends Fingerprint {
  /** Set only if source maps were used. See `addGroupAlias`. */
  earlier?: () => readonly EarlierFingerprint[];
}

/** Computes the fingerprint of a report from its symbolicated stacks. */
export function fingerprintReport(
  {
    facts,
    stack,
  }: { facts: Pick<ParsedReport['facts'], 'type' | 'message' | 'url' | 'fingerprint'>; stack: ParsedReport['stack'] },
  { error, causes }: SymbolicatedReport,
): ReportFingerprint {
  const input: FingerprintInput = {
    type: facts.type,
    message: facts.message,
    frames: error.frames,
    causes: stack.causes.map((cause, index) => ({ ...cause, frames: causes[index]?.frames ?? [] })),
    url: facts.url,
  };
  const result = fingerprint(input);
  // Source maps do not change it, so it has no earlier fingerprints.
  if (facts.fingerprint) return customFingerprint(facts.fingerprint, result);
  if ([error, ...causes].every(({ usedMaps, origins }) => usedMaps.length === 0 && origins.size === 0)) return result;
  return { ...result, earlier: () => earlierFingerprints(input, error, causes) };
}
