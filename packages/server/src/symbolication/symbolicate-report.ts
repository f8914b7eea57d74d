import type { ParsedReport } from '../report/parse-report.ts';
import { namesDeadline } from './function-names.ts';
import { symbolicateCached, unsymbolicated, type Symbolicated } from './symbolicate-cached.ts';
import type { SymbolicationContext } from './symbolication-context.ts';
import type { BuildFacts } from './symbolicate-stack.ts';

/** The stacks of a report in the original source. */
export interface SymbolicatedReport {
  readonly error: Symbolicated;
  /** One for each cause of the error, outermost first. */
  readonly causes: readonly Symbolicated[];
  /** True if a source map that matches a frame is damaged. */
  readonly isDamaged: boolean;
  /** True if names of functions could not be read in time. */
  readonly areNamesLate: boolean;
}

/**
 * Symbolicates all stacks of a report. Returns synchronously if the project has no source maps. Rejects with
 * `storage_unavailable` or `overloaded` if a source map cannot be read now. Waits for names of functions until
 * `namesUntil`, and some seconds longer for a source that is not known to be slow.
 */
export function symbolicateReport(
  context: SymbolicationContext,
  projectId: number,
  {
    facts,
    stack,
  }: { facts: Pick<ParsedReport['facts'], 'release' | 'debug_ids' | 'url'>; stack: ParsedReport['stack'] },
  namesUntil = namesDeadline(),
): SymbolicatedReport | Promise<SymbolicatedReport> {
  const { url } = facts;
  if (context.store.model.mapsOf(projectId).length > 0)
    return symbolicateStacks(context, stack, {
      projectId,
      release: facts.release,
      debugIds: facts.debug_ids,
      url,
      namesUntil,
    });
  return {
    error: unsymbolicated(stack.frames, url),
    causes: stack.causes.map(({ frames }) => unsymbolicated(frames, url)),
    isDamaged: false,
    areNamesLate: false,
  };
}

async function symbolicateStacks(
  context: SymbolicationContext,
  stack: ParsedReport['stack'],
  build: BuildFacts,
): Promise<SymbolicatedReport> {
  const error = await symbolicateCached(context, stack.frames, build);
  const causes: Symbolicated[] = [];
  for (const cause of stack.causes) causes.push(await symbolicateCached(context, cause.frames, build));
  const stacks = [error, ...causes];
  return {
    error,
    causes,
    isDamaged: stacks.some(({ isDamaged }) => isDamaged),
    areNamesLate: stacks.some(({ frames }) => frames.some(({ isNameLate }) => isNameLate)),
  };
}
