import { packFunctions, type PackedFunctions } from './function-table.ts';
import { nameFunctions, type FunctionSpan } from './name-functions.ts';
import { parseScript, type SyntaxNode } from './parse-script.ts';
import { scriptParts } from './script-parts.ts';
import type { SourceKind } from './source-kind.ts';

/** Returns the functions of a source. Returns null if it is not a valid source of its kind, or nests too deep. */
export async function readFunctions(text: string, kind: SourceKind): Promise<PackedFunctions | null> {
  const parts = kind === 'page' ? scriptParts(text) : [{ text, dialect: kind }];
  const spans: FunctionSpan[] = [];
  for (const part of parts) {
    const program = await parseScript(part.text, part.dialect);
    const found = program && functionsIn(program);
    if (!found) return null;
    for (const span of found) spans.push(span);
  }
  return packFunctions(text, spans);
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
