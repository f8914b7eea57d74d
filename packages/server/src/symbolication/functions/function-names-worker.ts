import { readFunctions } from './read-functions.ts';
import type { SourceKind } from './source-kind.ts';

/** A message to this process. It answers with the functions of the source, packed, or with null. */
export interface FunctionsRequest {
  text: string;
  kind: SourceKind;
}

process.on('message', async ({ text, kind }: FunctionsRequest) => {
  process.send?.(await readFunctions(text, kind));
});

// The server is gone, also if it was killed.
process.on('disconnect', () => process.exit());

// They are sent to the whole group of processes, and the server still has reports in flight that need names: it ends this
// process when it is done with them.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
