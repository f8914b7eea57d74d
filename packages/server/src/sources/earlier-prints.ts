import { fingerprint, type FingerprintInput } from '../fingerprint/fingerprint.ts';
import { frameAsTold, type ToldFrame } from '../stack/frames-as-told.ts';
import type { EarlierPrint } from '../store/adoption.ts';
import type { SourceMapRecord } from '../store/records.ts';
import type { Symbolicated } from './symbolicate.ts';

/** Where more maps than these serve a report, the oldest of them count as one. */
const mostSteps = 16;

/**
 * Which fingerprints a report would have had before the newest of its maps came, before the one before that, and so on
 * until there were none. `stack` and `causes` are what `report` was made of.
 */
export function earlierPrints(
  report: FingerprintInput,
  stack: Symbolicated,
  causes: readonly Symbolicated[],
): EarlierPrint[] {
  const maps = newestFirst([stack, ...causes]);
  const steps = maps.slice(0, mostSteps).map((_map, step) => (step === mostSteps - 1 ? maps : maps.slice(0, step + 1)));
  return steps.map((later) => {
    const gone = new Set(later);
    const framesOf = (told: Symbolicated): ToldFrame[] => framesWithout(gone, told, report.url);
    return {
      groupsBefore: later.at(-1)?.groups_before ?? 0,
      fingerprint: () => {
        const told = causes.map(framesOf);
        return fingerprint({
          ...report,
          frames: framesOf(stack),
          causes: report.causes.map((cause, index) => ({ ...cause, frames: told[index] ?? [] })),
        }).fingerprint;
      },
    };
  });
}

/** The maps that have served a stack. */
function newestFirst(stacks: readonly Symbolicated[]): SourceMapRecord[] {
  const served = new Set(stacks.flatMap(({ servants }) => servants).filter((map) => map !== null));
  return [...served].toSorted(
    (a, b) =>
      (b.groups_before ?? 0) - (a.groups_before ?? 0) ||
      (a.created_at < b.created_at ? 1 : a.created_at > b.created_at ? -1 : b.id - a.id),
  );
}

function framesWithout(
  maps: ReadonlySet<SourceMapRecord>,
  { frames, servants }: Symbolicated,
  page: string | null,
): ToldFrame[] {
  const told = frames.map((frame, index) => {
    const map = servants[index];
    return map && maps.has(map) ? frameAsTold(frame.raw, page) : frame;
  });
  // What a frame calls is looked for only where it is the top one of the app.
  const top = told.findIndex(({ in_app, file, raw }) => in_app && file !== null && !raw.async);
  return told.map(({ callee, ...frame }, index) => (callee && index === top ? { ...frame, callee } : frame));
}
