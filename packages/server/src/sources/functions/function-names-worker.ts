import { parentPort } from 'node:worker_threads';
import { readFunctions } from './read-functions.ts';
import type { SourceKind } from './source-kind.ts';

/** Asked for the functions of a source, it answers with them, or with null. */
export interface FunctionsQuestion {
  text: string;
  kind: SourceKind;
}

parentPort?.on('message', async ({ text, kind }: FunctionsQuestion) => {
  const packed = await readFunctions(text, kind);
  const transfer = packed ? [packed.lines.buffer, packed.columns.buffer, packed.functions.buffer] : [];
  parentPort?.postMessage(packed, transfer as ArrayBuffer[]);
});
