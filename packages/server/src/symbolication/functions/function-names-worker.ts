import { readFunctions } from './read-functions.ts';
import type { SourceKind } from './source-kind.ts';

/** A request to this process. It responds with the packed functions of the source, or with null. */
export interface FunctionsRequest {
  text: string;
  kind: SourceKind;
}

process.on('message', async ({ text, kind }: FunctionsRequest) => {
  process.send?.(await readFunctions(text, kind));
});

// The server has exited or was killed.
process.on('disconnect', () => process.exit());

// These signals are sent to the whole process group, but the server still has reports in flight that need names. It
// ends this process when they are done.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
