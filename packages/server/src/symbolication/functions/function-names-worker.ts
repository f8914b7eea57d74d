import type { PackedFunctions } from './function-table.ts';
import { loadParsers, TurnOverError } from './parse-script.ts';
import { readFunctions } from './read-functions.ts';
import type { SourceKind } from './source-kind.ts';

/** A request to this process. */
export interface FunctionsRequest {
  text: string;
  kind: SourceKind;
  /** The maximum CPU time of the parser. Default: no limit. */
  maxCpuMs?: number;
}

/** The response: the packed functions, null if the source is not valid, or `'turn over'` after `maxCpuMs`. */
export type FunctionsResponse = PackedFunctions | null | 'turn over';

process.on('message', async ({ text, kind, maxCpuMs }: FunctionsRequest) => {
  process.send?.(await functionsOf(text, kind, maxCpuMs));
});

async function functionsOf(text: string, kind: SourceKind, maxCpuMs: number | undefined): Promise<FunctionsResponse> {
  try {
    return await readFunctions(text, kind, maxCpuMs);
  } catch (error) {
    if (error instanceof TurnOverError) return 'turn over';
    throw error;
  }
}

// The server has exited or was killed.
process.on('disconnect', () => process.exit());

// These signals are sent to the whole process group, but the server still has reports in flight that need names. It
// ends this process when they are done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);

// The time limit of a source must not cover loading the parsers.
await loadParsers();
process.send?.('ready');
