import ts from 'typescript';

const { ModuleKind, ModuleResolutionKind } = ts;

/** The module resolutions of apps. The file's extension makes it an ES module, CommonJS, or a file for a bundler. */
export const ways: [name: string, file: string, module: ts.ModuleKind, resolution: ts.ModuleResolutionKind][] = [
  ['nodenext, an ES module', 'app.mts', ModuleKind.NodeNext, ModuleResolutionKind.NodeNext],
  ['bundler', 'app.ts', ModuleKind.ESNext, ModuleResolutionKind.Bundler],
  ['nodenext, CommonJS', 'app.cts', ModuleKind.NodeNext, ModuleResolutionKind.NodeNext],
  ['node16, an ES module', 'app.mts', ModuleKind.Node16, ModuleResolutionKind.Node16],
  ['node16, CommonJS', 'app.cts', ModuleKind.Node16, ModuleResolutionKind.Node16],
  // Reads `typesVersions` in place of `exports`.
  ['node10', 'app.ts', ModuleKind.ESNext, ModuleResolutionKind.Node10],
];

/** Returns the compiler's errors, with the strictest settings, in the app and in our declarations that it uses. */
export function complaints(
  folder: string,
  path: string,
  module: ts.ModuleKind,
  moduleResolution: ts.ModuleResolutionKind,
): string[] {
  const program = ts.createProgram([path], {
    module,
    moduleResolution,
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: [],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    // TypeScript 6 still has node10, which it calls deprecated.
    ignoreDeprecations: '6.0',
  });
  // The declarations of the frameworks are skipped: they have many errors.
  const ours = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(folder));
  const found = [
    ...program.getOptionsDiagnostics(),
    ...ours.flatMap((source) => [
      ...program.getSyntacticDiagnostics(source),
      ...program.getSemanticDiagnostics(source),
    ]),
  ];
  return found.map(({ messageText, file, start = 0 }) => {
    const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
    return `${file?.fileName.slice(folder.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}
