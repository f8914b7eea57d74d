import { authoredClass } from '../fingerprint/authored-class.ts';
import type { FingerprintInput } from '../fingerprint/fingerprint-input.ts';
import {
  customDigest,
  customFingerprint,
  fingerprint,
  includesComputed,
  type Fingerprint,
} from '../fingerprint/fingerprint.ts';
import type { ParsedReport } from '../report/parse-report.ts';
import { unsymbolicated, type Symbolicated } from '../symbolication/symbolicate-cached.ts';
import type { SymbolicatedReport } from '../symbolication/symbolicate-report.ts';
import type { EarlierFingerprint } from './group-alias.ts';
import { earlierFingerprints } from './earlier-fingerprints.ts';
import { areNamesCostly, withoutCostlyNames } from './late-names.ts';

export interface ReportFingerprint extends Fingerprint {
  /** The class of the error as its author named it, if it is known, else as it was sent. */
  type: string | null;
  /** Set unless only the texts of the client group the report. See `addGroupAlias`. */
  earlier: (() => readonly EarlierFingerprint[]) | undefined;
  /**
   * Computes the fingerprint without names of functions. Set only if names may be late the next time: see
   * `late-names.ts`.
   */
  unnamed: (() => string) | undefined;
}

/** Computes the fingerprint of a report from its symbolicated stacks. */
export function fingerprintReport(
  {
    facts,
    stack,
  }: { facts: Pick<ParsedReport['facts'], 'type' | 'message' | 'url' | 'fingerprint'>; stack: ParsedReport['stack'] },
  symbolicated: SymbolicatedReport,
): ReportFingerprint {
  // The frames of a synthetic stack are those of the code that reported the error: they identify no bug.
  const known = stack.isSynthetic ? { ...symbolicated, error: unsymbolicated(noFrames, facts.url) } : symbolicated;
  const areCostly = areNamesCostly(known);
  const { error, causes } = areCostly && known.areNamesLate ? withoutCostlyNames(known) : known;
  const inputOf = (outer: Symbolicated, inner: readonly Symbolicated[]): FingerprintInput => ({
    type: facts.type,
    message: facts.message,
    frames: outer.frames,
    causes: stack.causes.map((cause, index) => ({ ...cause, frames: inner[index]?.frames ?? [] })),
    url: facts.url,
  });
  const input = inputOf(error, causes);
  const { fingerprint: texts } = facts;
  const computed = fingerprint(input);
  const result = texts ? customFingerprint(texts, computed) : computed;
  const withTexts = (found: string): string => (texts ? customDigest(texts, found) : found);
  const isOwn = texts !== null && !includesComputed(texts);
  // Each property is named: to spread the result would take as long as the rest of this function.
  return {
    fingerprint: result.fingerprint,
    grouping: result.grouping,
    culprit: result.culprit,
    location: result.location,
    type: facts.type && (authoredClass(facts.type, error.frames) ?? facts.type),
    earlier: isOwn
      ? undefined
      : () =>
          earlierFingerprints(input, error, causes).map((each) => ({
            ...each,
            fingerprint: () => withTexts(each.fingerprint()),
          })),
    unnamed:
      isOwn || !areCostly || known.areNamesLate
        ? undefined
        : () => {
            const without = withoutCostlyNames(known);
            return withTexts(fingerprint(inputOf(without.error, without.causes)).fingerprint);
          },
  };
}

const noFrames: readonly never[] = [];
