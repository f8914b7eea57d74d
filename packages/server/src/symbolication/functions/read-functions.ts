import { packFunctions, type PackedFunctions } from './function-table.ts';
import { nameFunctions, type FunctionSpan } from './name-functions.ts';
import { parseScript, type SyntaxNode } from './parse-script.ts';
import { scriptParts } from './script-parts.ts';
import type { SourceKind } from './source-kind.ts';

/**
 * Returns the functions of a source. Returns null if it is not a valid source of its kind, takes too many steps or
 * nests too deep. Rejects with a TurnOverError if the parser takes more than `maxCpuMs` of CPU time, which is longer in
 * real time on a busy machine.
 */
export async function readFunctions(
  text: string,
  kind: SourceKind,
  maxCpuMs = Infinity,
): Promise<PackedFunctions | null> {
  const isTurnOver = cpuTimer(maxCpuMs);
  const parts = kind === 'page' ? scriptParts(text) : [{ text, dialect: kind }];
  const spans: FunctionSpan[] = [];
  for (const part of parts) {
    const program = await parseScript(part.text, part.dialect, isTurnOver);
    const found = program && functionsIn(program);
    if (!found) return null;
    for (const span of found) spans.push(span);
  }
  return packFunctions(text, spans);
}

function cpuTimer(maxMs: number): () => boolean {
  const startedAt = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startedAt);
    return user + system > maxMs * 1_000;
  };
}

function functionsIn(program: SyntaxNode): FunctionSpan[] | null {
  try {
    return nameFunctions(program);
  } catch (error) {
    // The parser reads `a.b.c.…` in a loop, so the tree is as deep as the expression is long.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
