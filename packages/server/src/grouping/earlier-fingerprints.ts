import type { FingerprintInput } from '../fingerprint/fingerprint-input.ts';
import { isInFile } from '../fingerprint/frame-key.ts';
import { fingerprint } from '../fingerprint/fingerprint.ts';
import type { GroupingVersion } from '../fingerprint/grouping-version.ts';
import { rawFrame } from '../stack/raw-frames.ts';
import type { ReportFrame } from '../stack/report-frame.ts';
import { isInApp } from '../stack/is-in-app.ts';
import type { EarlierFingerprint } from './group-alias.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { isOlderMap } from '../symbolication/is-older-map.ts';
import type { Symbolicated } from '../symbolication/symbolicate-cached.ts';

/** If more source maps than this were used, the oldest ones count as one. */
const maxSteps = 16;

/** The versions of the rules whose groups may still get reports. */
const earlierVersions: readonly GroupingVersion[] = [1];

/**
 * Returns the fingerprints that a report would have had by earlier rules, without the newest of its source maps,
 * without the two newest, and so on until no map is left. `stack` and `causes` are the stacks of `report`.
 */
export function earlierFingerprints(
  report: FingerprintInput,
  stack: Symbolicated,
  causes: readonly Symbolicated[],
): EarlierFingerprint[] {
  return [
    ...byEarlierRules({ groupsBefore: Infinity, input: report }),
    ...withoutMaps(report, stack, causes).flatMap((step) => [
      { groupsBefore: step.groupsBefore, fingerprint: () => fingerprint(step.input).fingerprint },
      ...byEarlierRules(step),
    ]),
  ];
}

interface EarlierInput {
  groupsBefore: number;
  readonly input: FingerprintInput;
}

function byEarlierRules(step: EarlierInput): EarlierFingerprint[] {
  return earlierVersions.map((version) => ({
    groupsBefore: step.groupsBefore,
    version,
    fingerprint: () => fingerprint({ ...step.input, version }).fingerprint,
  }));
}

/** Returns the report without its newest source map, without its two newest ones, and so on. */
function withoutMaps(report: FingerprintInput, stack: Symbolicated, causes: readonly Symbolicated[]): EarlierInput[] {
  const maps = newestFirst([stack, ...causes]);
  const steps = maps.slice(0, maxSteps).map((_map, step) => (step === maxSteps - 1 ? maps : maps.slice(0, step + 1)));
  return steps.map((later) => {
    const removed = new Set(later);
    const framesOf = (symbolicated: Symbolicated): ReportFrame[] => framesWithout(removed, symbolicated, report.url);
    return {
      groupsBefore: later.at(-1)?.groups_before ?? 0,
      // Lazy because it is rarely needed.
      get input(): FingerprintInput {
        const causeFrames = causes.map(framesOf);
        return {
          ...report,
          frames: framesOf(stack),
          causes: report.causes.map((cause, index) => ({ ...cause, frames: causeFrames[index] ?? [] })),
        };
      },
    };
  });
}

/** Returns the maps that resolved a frame, or whose origin made a frame the app's, newest first. */
function newestFirst(stacks: readonly Symbolicated[]): SourceMapRecord[] {
  const maps = new Set(stacks.flatMap(({ usedMaps, origins }) => [...usedMaps, ...origins.values()]));
  return [...maps].toSorted((a, b) => (a === b ? 0 : isOlderMap(a, b) ? 1 : -1));
}

function framesWithout(
  maps: ReadonlySet<SourceMapRecord>,
  { frames, mapOfFrame, origins: needed }: Symbolicated,
  page: string | null,
): ReportFrame[] {
  const origins = new Set([...needed].flatMap(([origin, map]) => (maps.has(map) ? [] : [origin])));
  const reported = frames.map((frame, index) => {
    const map = mapOfFrame[index];
    if (map && maps.has(map)) return rawFrame(frame.raw, page, origins);
    return { ...frame, in_app: frame.in_app && isInApp(frame, page, origins) };
  });
  // The callee counts only for the top frame of the app.
  const top = reported.findIndex((frame) => frame.in_app && isInFile(frame) && !frame.raw.async);
  return reported.map(({ callee, ...frame }, index) => (callee && index === top ? { ...frame, callee } : frame));
}
