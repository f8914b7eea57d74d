import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root, type CodeBlock } from './blocks.ts';

const browser = join(root, 'packages/browser');

/** In this package, the frameworks with an adapter are installed. */
const folder = join(browser, 'code-blocks');
const storybook = join(folder, '../.storybook');

/** Types of the packages: of the SDK its sources, of the others their builds. */
const paths: Record<string, string[]> = {
  '@service/browser': [join(browser, 'src/index.ts')],
  ...Object.fromEntries(
    [
      'errors',
      'testing',
      'react/index',
      'vue/index',
      'svelte/index',
      'sveltekit/index',
      'angular/index',
      'solid/index',
      'loader/index',
    ].map((file) => [`@service/browser/${file.replace('/index', '')}`, [join(browser, `src/${file}.ts`)]]),
  ),
  '@service/server': [join(root, 'packages/server/dist/index.d.ts')],
  '@service/mocks/*': [join(root, 'packages/mocks/dist/*.d.ts')],
  '@service/bundler-plugin/*': [join(root, 'packages/bundler-plugin/dist/*.d.ts')],
  rolldown: [join(root, 'packages/bundler-plugin/node_modules/rolldown')],
  'playwright-core': [join(root, 'node_modules/playwright-core')],
};

const shared: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  moduleDetection: ts.ModuleDetectionKind.Force,
  lib: ['lib.es2023.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  jsx: ts.JsxEmit.ReactJSX,
  paths,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  noEmit: true,
};

/**
 * Compiles blocks, TypeScript with all checks. JavaScript is checked for names, fields and arguments that do not exist.
 * A block that neither imports nor begins with the name of its file continues its page: it sees earlier imports.
 * Returns one line per error, with its place in the page.
 */
export function compileBlocks(blocks: CodeBlock[]): string[] {
  const isTyped = ({ language }: CodeBlock): boolean => language.startsWith('ts');
  const typed = blocks.filter(isTyped);
  const untyped = blocks.filter((block) => !isTyped(block));
  return [
    ...problemsOf(typed, blocks, { strict: true, exactOptionalPropertyTypes: true }),
    ...problemsOf(untyped, blocks, { strict: false }),
  ];
}

/** The declarations that both programs read. Parsing them takes most of the time. */
const libraries = new Map<string, ts.SourceFile>();

function problemsOf(blocks: CodeBlock[], all: CodeBlock[], options: ts.CompilerOptions): string[] {
  const reader = join(folder, 'reader.d.ts');
  const sources = new Map([
    [reader, readFileSync(new URL('reader.d.ts', import.meta.url), 'utf8')],
    [join(folder, 'app/app.ts'), 'export const App = {};'],
    [join(storybook, 'preview.ts'), "export const service: import('@service/mocks/browser').MockService;"],
  ]);
  const places = new Map<string, { block: CodeBlock; added: number }>();
  blocks.forEach((block, index) => {
    const file = join(folder, `block-${index}.tsx`);
    const isWhole = /^(?:\/\/ \S+\.\w+$|import )/m.test(block.code);
    const imports = isWhole ? '' : importsBefore(block, all);
    sources.set(file, imports + block.code);
    places.set(file, { block, added: imports.split('\n').length - 1 });
  });

  const host = ts.createCompilerHost({ ...shared, ...options });
  const { getSourceFile, fileExists, directoryExists } = host;
  host.fileExists = (file) => sources.has(file) || fileExists(file);
  host.directoryExists = (path) => path.startsWith(folder) || path === storybook || directoryExists?.(path) === true;
  host.getSourceFile = (file, version, ...more) => {
    const source = sources.get(file);
    if (source !== undefined) return ts.createSourceFile(file, source, version);
    const library = libraries.get(file) ?? getSourceFile(file, version, ...more);
    if (library) libraries.set(file, library);
    return library;
  };
  const program = ts.createProgram([...sources.keys()], { ...shared, ...options }, host);
  return [...places].flatMap(([file, { block, added }]) => {
    const source = program.getSourceFile(file)!;
    const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
    return found.map(({ messageText, start = 0 }) => {
      const line = source.getLineAndCharacterOfPosition(start).line - added + block.line;
      return `${block.page}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
    });
  });
}

/** Returns the imports of the earlier blocks of the page. */
function importsBefore({ page, line }: CodeBlock, all: CodeBlock[]): string {
  const earlier = all.filter((other) => other.page === page && other.line < line);
  const imports = earlier.flatMap(({ code }) => code.match(/^import [^;]+;\n/gm) ?? []);
  return [...new Set(imports)].join('');
}
