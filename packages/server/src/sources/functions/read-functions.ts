import { packFunctions, type PackedFunctions } from './function-table.ts';
import { nameFunctions, type FunctionSpan } from './name-functions.ts';
import { parseScript, type Dialect, type SyntaxNode } from './parse-script.ts';
import { scriptParts } from './script-parts.ts';

/** How a source is written, by the name of its file: a script, or a page with scripts in it. Null for what holds no code. */
export type SourceKind = Dialect | 'page';

const kinds: Readonly<Record<string, SourceKind | null>> = {
  js: 'js',
  jsx: 'js',
  mjs: 'js',
  cjs: 'js',
  ts: 'ts',
  mts: 'ts',
  cts: 'ts',
  tsx: 'tsx',
  vue: 'page',
  svelte: 'page',
  astro: null,
  css: null,
  scss: null,
  sass: null,
  less: null,
  json: null,
  html: null,
  wasm: null,
};

/** What has another ending, or none, is most often a script that a bundler has named after something. */
export function sourceKind(file: string): SourceKind | null {
  const path = file.split(/[?#]/, 1)[0] ?? '';
  const ending = /\.(\w{1,10})$/.exec(path.slice(-12))?.[1]?.toLowerCase() ?? '';
  return Object.hasOwn(kinds, ending) ? (kinds[ending] ?? null) : 'js';
}

/** The functions of a source. Null if it can't be read as what it seems to be, or nests too deep. */
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
    // `a.b.c.…` is read in a loop, and makes a tree that is as deep as it is long.
    if (error instanceof RangeError) return null;
    throw error;
  }
}
