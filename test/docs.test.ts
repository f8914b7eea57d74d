import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const sdk = join(root, 'packages/browser');
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

const filesIn = (folder: string, extension: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension))
    .map((file) => join(folder, file));

/** What stands in a text in the place of a group. */
const found = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, group]) => group ?? '');

/** What stands below a heading, until the next of its rank or a higher one. */
function section(page: string, heading: string): string {
  const [, rest] = `\n${page}`.split(`\n${heading}\n`);
  expect(rest, heading).toBeDefined();
  return rest!.split(new RegExp(`\n#{1,${heading.indexOf(' ')}} `))[0]!;
}

const pages = ['README.md', 'packages/browser/README.md', 'packages/server/README.md', ...filesIn('docs', '.md')];

describe('links', () => {
  const withoutCode = (page: string): string => read(page).replace(/^```[^]*?^```$/gm, '');

  // As GitHub makes it of a heading.
  const anchors = (page: string): string[] =>
    found(withoutCode(page), /^#+ (.*)$/gm).map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_ -]/gu, '')
        .replaceAll(' ', '-'),
    );

  test.each(pages)('of %s lead somewhere', (page) => {
    const dead = found(withoutCode(page), /\]\((?!\w+:)([^)\s]+)\)/g).filter((link) => {
      const [path, anchor] = link.split('#');
      const target = path ? relative(root, resolve(root, dirname(page), path)) : page;
      return !existsSync(join(root, target)) || (anchor && !anchors(target).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  test('of the overview lead to every page of the SDK', () => {
    const linked = found(read('docs/sdk/README.md'), /\]\(([^)#]+)\)/g);
    const others = readdirSync(join(root, 'docs/sdk')).filter((name) => name !== 'README.md');
    expect(others.filter((name) => !linked.includes(name))).toEqual([]);
  });
});

test.each([...pages, 'packages/dashboard/index.html', 'examples/demo/src/greet.mjs'])(
  '%s installs nothing from npm under a name that is not ours there',
  (page) => {
    expect(read(page).match(/\b(?:npx|npm (?:i|install|add)|pnpm add|yarn add)\b[^\n`]*\s@service\/.*/g)).toBe(null);
  },
);

describe('pictures', () => {
  const shown = new Set(pages.flatMap((page) => found(read(page), /images\/([\w-]+\.png)/g)));
  const taken = readdirSync(join(root, 'docs/images'));

  test('are all shown, and all that are shown are there', () => {
    expect([...shown].toSorted()).toEqual(taken.toSorted());
  });

  test('are small, so that cloning and reading stay quick', () => {
    const bytes = taken.map((file) => statSync(join(root, 'docs/images', file)).size);
    expect(Math.max(...bytes)).toBeLessThan(80_000);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000);
  });
});

describe('the lines that the SDK writes to the console', () => {
  const troubleshooting = read('docs/sdk/troubleshooting.md');
  const said = new Set(
    filesIn('packages/browser/src', '.ts').flatMap((file) => found(read(file), /'(\d+: [A-Za-z][^']*)'/g)),
  );
  const numberOf = (text: string): number => parseInt(text);

  test('have a number each, and everywhere the same words', () => {
    const numbers = [...said].map(numberOf);
    expect(numbers.length).toBeGreaterThan(10);
    expect(new Set(numbers).size).toBe(numbers.length);
  });

  test('have one entry in the troubleshooting each, and no entry is without a line', () => {
    const entries = found(troubleshooting, /^## W(\d+)$/gm).map(Number);
    expect(entries).toEqual([...said].map(numberOf).toSorted((a, b) => a - b));
  });

  test.each([...said])('"%s" is quoted there', (text) => {
    const entry = section(troubleshooting, `## W${numberOf(text)}`);
    expect(entry.trim().startsWith(`\`[ServiceSDK] W${text.trim()}`)).toBe(true);
  });
});

/** The names that a module exports, types too. */
function exportsOf(file: string): string[] {
  const names: string[] = [];
  for (const node of ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest).statements) {
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause))
      names.push(...node.exportClause.elements.map(({ name }) => name.text));
    if (ts.isVariableStatement(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      names.push(...node.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text));
  }
  return names;
}

/** The fields of an interface, without what it inherits. */
function fieldsOf(file: string, name: string): string[] {
  const { statements } = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const owner = statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  return (owner as ts.InterfaceDeclaration).members.map((member) => (member.name as ts.Identifier).text);
}

describe('the reference', () => {
  const reference = read('docs/sdk/reference.md');
  /** Whatever stands between backticks begins with a name; so do further ones in it. */
  const named = (text: string): string[] => found(text, /`([^`]+)`/g).flatMap((code) => code.match(/\w+/g) ?? []);
  /** The names in the first column of a table. */
  const rows = (text: string): string[] => found(text, /^\| (`[^|]+)\|/gm).flatMap((cell) => found(cell, /`(\w+)/g));

  test.each([
    ['index.ts', '@service/browser'],
    ['errors.ts', '@service/browser/errors'],
    ['react/index.ts', '@service/browser/react'],
    ['vue/index.ts', '@service/browser/vue'],
    ['svelte/index.ts', '@service/browser/svelte'],
    ['loader/index.ts', '@service/browser/loader'],
  ])('names every export of %s', (file, entry) => {
    const all = exportsOf(`packages/browser/src/${file}`);
    expect(all.length).toBeGreaterThan(0);
    // What both entries have is told once.
    const shared = new Set(['CaptureContext', 'Level', 'Report', 'User']);
    const told = named(section(reference, `## \`${entry}\``));
    const missing = all.filter((name) => !told.includes(name));
    expect(missing.filter((name) => file !== 'errors.ts' || !shared.has(name))).toEqual([]);
  });

  test('names every way to import it', () => {
    const { exports } = JSON.parse(read('packages/browser/package.json')) as { exports: Record<string, unknown> };
    const entries = Object.keys(exports).filter((path) => !path.endsWith('.json'));
    expect(found(reference, /^## `(.+)`$/gm)).toEqual(entries.map((path) => path.replace('.', '@service/browser')));
  });

  test('has a row for every option, and for none that there is not', () => {
    const options = 'packages/browser/src/options.ts';
    const all = [...fieldsOf(options, 'ErrorsOptions'), ...fieldsOf(options, 'Options')];
    expect(rows(section(reference, '### Options'))).toEqual(all);
    const told = named(section(reference, '### Options'));
    const switches = [...fieldsOf(options, 'BreadcrumbSwitches'), ...fieldsOf(options, 'NoiseSwitches')];
    expect(switches.filter((name) => !told.includes(name))).toEqual([]);
  });

  test('names every option of the entry for errors alone', () => {
    const told = named(section(reference, '## `@service/browser/errors`'));
    const all = fieldsOf('packages/browser/src/options.ts', 'ErrorsOptions');
    expect(all.filter((name) => !told.includes(name))).toEqual([]);
  });

  test('has a row for every field of a report, and for none that there is not', () => {
    const all = fieldsOf('packages/browser/src/report.ts', 'Report');
    expect(new Set(rows(section(reference, '### The report')))).toEqual(new Set(all));
  });
});

test('what the pages of the SDK show in TypeScript compiles', () => {
  const blocks = new Map<string, string>();
  for (const page of filesIn('docs/sdk', '.md')) {
    found(read(page), /^```ts\n([^]*?)^```$/gm).forEach((code, index) => {
      blocks.set(join(sdk, `${basename(page, '.md')}-${index + 1}.ts`), code);
    });
  }
  expect(blocks.size).toBeGreaterThan(10);

  const { config } = ts.readConfigFile(join(sdk, 'tsconfig.json'), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, sdk);
  Object.assign(options, {
    noUnusedLocals: false,
    paths: {
      '@service/browser': [join(sdk, 'src/index.ts')],
      '@service/browser/errors': [join(sdk, 'src/errors.ts')],
    },
  });
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => blocks.has(file) || fileExists(file);
  host.getSourceFile = (file, version, ...more) => {
    const code = blocks.get(file);
    return code === undefined ? getSourceFile(file, version, ...more) : ts.createSourceFile(file, code, version);
  };

  const program = ts.createProgram([...blocks.keys()], options, host);
  const wrong = [...blocks.keys()].flatMap((file) => {
    const source = program.getSourceFile(file)!;
    return [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)].map(
      ({ messageText }) => `${basename(file)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    );
  });
  expect(wrong).toEqual([]);
});
