import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';
import { anchorOf } from '../docs/anchor-of.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const read = (path: string): string => readFileSync(resolve(root, path), 'utf8');

const filesIn = (folder: string, extension: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(extension) && !/node_modules|\.vitepress/.test(file))
    .map((file) => join(folder, file));

/** Returns the first group of every match. */
const found = (text: string, pattern: RegExp): string[] =>
  Array.from(text.matchAll(pattern), ([, group]) => group ?? '');

/** Returns the text below a heading, up to the next heading of the same or a higher level. */
function section(page: string, heading: string): string {
  const [, rest] = `\n${page}`.split(`\n${heading}\n`);
  expect(rest, heading).toBeDefined();
  return rest!.split(new RegExp(`\n#{1,${heading.indexOf(' ')}} `))[0]!;
}

const pages = [
  'README.md',
  ...['browser', 'bundler-plugin', 'cli', 'mocks', 'python', 'server'].map((name) => `packages/${name}/README.md`),
  ...filesIn('docs', '.md'),
];

describe('links', () => {
  const withoutCode = (page: string): string => read(page).replace(/^```[^]*?^```$/gm, '');

  const anchors = (page: string): string[] =>
    found(withoutCode(page), /^#+ (.*)$/gm).map(
      // The site also allows explicit ones.
      (heading) => /\{#(\w+)\}$/.exec(heading)?.[1] ?? anchorOf(heading),
    );

  test.each(pages)('all relative links of %s have a target', (page) => {
    const dead = found(withoutCode(page), /\]\((?!\w+:)([^)\s]+)\)/g).filter((link) => {
      const [path, anchor] = link.split('#');
      const target = path ? relative(root, resolve(root, dirname(page), path)) : page;
      return !existsSync(join(root, target)) || (anchor && !anchors(target).includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  test.each(filesIn('docs', '.md'))('no link of %s leaves the site, which has only the pages of docs/', (page) => {
    const links = found(withoutCode(page), /\]\((?![\w#]+:|#)([^)#\s]+)/g);
    const outside = links.filter((link) => {
      const target = relative(root, resolve(root, dirname(page), link));
      return !/^docs\/.*\.(?:md|png)$/.test(target);
    });
    expect(outside).toEqual([]);
  });

  test.each(['docs/sdk', 'docs/python'])('the overview of %s links to all of its pages', (folder) => {
    const linked = found(read(`${folder}/README.md`), /\]\(([^)#]+)\)/g);
    const others = readdirSync(join(root, folder)).filter((name) => name !== 'README.md');
    expect(others.filter((name) => !linked.includes(name))).toEqual([]);
  });
});

test('every path in the glossary exists', () => {
  const paths = found(read('docs/glossary.md'), /\| `([^`|]+)` +\|$/gm);
  expect(paths.length).toBeGreaterThan(50);
  const isMissing = (path: string): boolean =>
    !existsSync(join(root, /^(?:docs|test|benchmarks)\//.test(path) ? path : `packages/${path}`));
  expect(paths.filter(isMissing)).toEqual([]);
});

describe('the index of the decisions', () => {
  const folder = 'docs/decisions';
  const decisions = readdirSync(join(root, folder)).filter((name) => name !== 'README.md');
  const index = read(`${folder}/README.md`);
  const cellsOf = (row: string): string[] =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());

  test('has one row per decision, with its number, title, status and date', () => {
    const expected = decisions.toSorted().map((file) => {
      const page = read(`${folder}/${file}`);
      const [number] = file.split('-');
      const [title] = found(page, /^# \d+\. (.+)$/gm);
      const [status] = found(page, /^Status: (.+)$/gm);
      const [date] = found(page, /^Date: (.+)$/gm);
      return [`[${number}](${file})`, title, status, date];
    });
    const rows = index.split('\n').filter((line) => /^\| \[\d{4}\]/.test(line));
    expect(rows.map(cellsOf)).toEqual(expected);
  });

  test.each(decisions)('%s has the number of its file, a known status, a date and the three sections', (file) => {
    const page = read(`${folder}/${file}`);
    const numbers = decisions.map((name) => name.slice(0, 4));
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(found(page, /^# (\d+)\. /gm).map(Number)).toEqual([Number(file.slice(0, 4))]);
    const [status = ''] = found(page, /^Status: (.+)$/gm);
    const [superseded] = found(status, /^superseded by (\d{4})$/g);
    expect(status === 'accepted' || numbers.includes(superseded ?? '')).toBe(true);
    expect(found(page, /^Date: (.+)$/gm)).toEqual([expect.stringMatching(/^\d{4}-\d{2}-\d{2}$/)]);
    expect(found(page, /^## (.+)$/gm)).toEqual(['Question', 'Decision', 'Consequences']);
  });
});

test.each([...pages, 'packages/dashboard/src/screens/start/snippets.ts', 'examples/demo/src/greet.mjs'])(
  '%s installs no @service package from npm, where the names belong to others',
  (page) => {
    expect(read(page).match(/\b(?:npx|npm (?:i|install|add)|pnpm add|yarn add)\b[^\n`]*\s@service\/.*/g)).toBe(null);
  },
);

describe('pictures', () => {
  const shown = new Set(pages.flatMap((page) => found(read(page), /images\/([\w-]+\.png)/g)));
  const taken = readdirSync(join(root, 'docs/images'));

  test('every picture in docs/images is used, and every used picture exists', () => {
    expect([...shown].toSorted()).toEqual(taken.toSorted());
  });

  test('each picture is below 80 kB and all together below 4 MB, so that cloning stays fast', () => {
    const bytes = taken.map((file) => statSync(join(root, 'docs/images', file)).size);
    expect(Math.max(...bytes)).toBeLessThan(80_000);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(4_000_000);
  });
});

describe('console warnings of the SDK', () => {
  const troubleshooting = read('docs/sdk/troubleshooting.md');
  /** The number and the constant beginning of each line, such as `13 Report rejected (`. */
  const warnings = [
    ...new Set(
      filesIn('packages/browser/src', '.ts').flatMap((file) =>
        // A condition may choose between two numbers: `warn(isOurs ? 13 : 14, …`.
        Array.from(read(file).matchAll(/\bwarn\(\s*(?:[^,]+\? )?(\d+)(?: : (\d+))?,\s*['`]([^'`$]+)/g)).flatMap(
          ([, one, other, text]) => [one, other].flatMap((number) => (number ? `${number} ${text}` : [])),
        ),
      ),
    ),
  ];
  const numbers = [...new Set(warnings.map((warning) => parseInt(warning)))].toSorted((a, b) => a - b);

  test('the warnings of the SDK are numbered from 1', () => {
    expect(numbers.length).toBeGreaterThan(10);
    expect(numbers).toEqual(numbers.map((_, index) => index + 1));
  });

  test('the troubleshooting page has one entry per warning, in order', () => {
    expect(found(troubleshooting, /^## W(\d+)$/gm).map(Number)).toEqual(numbers);
  });

  test('the development build has a sentence for each warning', () => {
    const advice = read('packages/browser/src/advice.development.ts');
    expect(found(advice, /^ {2}(\d+): /gm).map(Number)).toEqual(numbers);
  });

  test.each(warnings)('the troubleshooting page quotes %s', (warning) => {
    const [, number, text] = /^(\d+) (.*)$/.exec(warning) ?? [];
    expect(section(troubleshooting, `## W${number}`)).toContain(`[ServiceSDK] ${text}`);
  });
});

describe('warnings of the Python SDK', () => {
  const troubleshooting = read('docs/python/troubleshooting.md');
  /** The number and the constant beginning of each line, such as `10 The server cannot be reached`. */
  const warnings = filesIn('packages/python/src', '.py').flatMap((file) =>
    Array.from(read(file).matchAll(/\bwarn\(\s*(\d+),\s*f?"([^"{]+)/g), ([, number, text]) => `${number} ${text}`),
  );
  const numbers = [...new Set(warnings.map((warning) => parseInt(warning)))].toSorted((a, b) => a - b);

  test('the troubleshooting page has one entry per warning, in order', () => {
    expect(numbers.length).toBeGreaterThan(10);
    expect(found(troubleshooting, /^## W(\d+)$/gm).map(Number)).toEqual(numbers);
  });

  test.each([...new Set(warnings)])('the troubleshooting page quotes %s', (warning) => {
    const [, number, text] = /^(\d+) (.*)$/.exec(warning) ?? [];
    expect(section(troubleshooting, `## W${number}`)).toContain(`[ServiceSDK] ${text}`);
  });
});

test('the reference of the Python SDK lists each option and each function', () => {
  const reference = read('docs/python/reference.md');
  const [, options = ''] = read('packages/python/src/service_sdk/_options.py').split('class Options:\n');
  const [fields = ''] = options.split('\n\n\n');
  const rows = found(section(reference, '## Options'), /^\| `(\w+)`/gm);
  expect(rows).toEqual(found(fields, /^ {4}(\w+): /gm));

  const [, exported = ''] =
    /^__all__ = \[\n([^\]]*)\]/m.exec(read('packages/python/src/service_sdk/__init__.py')) ?? [];
  const functions = found(exported, /"([a-z]\w*)"/g);
  expect(functions.length).toBeGreaterThan(8);
  const listed = found(section(reference, '## Functions'), /^\| (.*?) +\|/gm).flatMap((cell) =>
    found(cell, /`(\w+)\(/g),
  );
  expect(listed.toSorted()).toEqual(functions.toSorted());
});

/** Returns the names that a module exports in lists, which may contain types, and as functions and constants. */
function exportsOf(file: string): string[] {
  const names: string[] = [];
  for (const node of ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest).statements) {
    if (ts.isExportDeclaration(node) && node.exportClause && ts.isNamedExports(node.exportClause))
      names.push(...node.exportClause.elements.map(({ name }) => name.text));
    if (ts.isFunctionDeclaration(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      names.push(node.name?.text ?? '');
    if (ts.isVariableStatement(node) && node.modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
      names.push(...node.declarationList.declarations.map(({ name }) => (name as ts.Identifier).text));
  }
  return names;
}

/** Returns the fields of an interface, without inherited ones. */
function fieldsOf(file: string, name: string): string[] {
  const { statements } = ts.createSourceFile(file, read(file), ts.ScriptTarget.Latest);
  const owner = statements.find((node) => ts.isInterfaceDeclaration(node) && node.name.text === name);
  return (owner as ts.InterfaceDeclaration).members.map((member) => (member.name as ts.Identifier).text);
}

describe('the SDK reference', () => {
  const reference = read('docs/sdk/reference.md');
  /** Returns all words between backticks. */
  const named = (text: string): string[] => found(text, /`([^`]+)`/g).flatMap((code) => code.match(/\w+/g) ?? []);
  /** Returns the names in the first column of a table. */
  const rows = (text: string): string[] => found(text, /^\| (`[^|]+)\|/gm).flatMap((cell) => found(cell, /`(\w+)/g));

  test.each([
    ['index.ts', '@service/browser'],
    ['errors.ts', '@service/browser/errors'],
    ['react/index.ts', '@service/browser/react'],
    ['vue/index.ts', '@service/browser/vue'],
    ['svelte/index.ts', '@service/browser/svelte'],
    ['sveltekit/index.ts', '@service/browser/sveltekit'],
    ['angular/index.ts', '@service/browser/angular'],
    ['solid/index.ts', '@service/browser/solid'],
    ['loader/index.ts', '@service/browser/loader'],
    ['testing.ts', '@service/browser/testing'],
  ])('documents every export of %s', (file, entry) => {
    const all = exportsOf(`packages/browser/src/${file}`);
    expect(all.length).toBeGreaterThan(0);
    // Types that both entries export are documented once.
    const shared = new Set(['CaptureContext', 'ErrorReport', 'Level', 'User']);
    const documented = named(section(reference, `## \`${entry}\``));
    const missing = all.filter((name) => !documented.includes(name));
    expect(missing.filter((name) => file !== 'errors.ts' || !shared.has(name))).toEqual([]);
  });

  test('the SDK reference has a section for every entry point', () => {
    const { exports } = JSON.parse(read('packages/browser/package.json')) as { exports: Record<string, unknown> };
    const entries = Object.keys(exports).filter((path) => !path.endsWith('.json'));
    expect(found(reference, /^## `(.+)`$/gm)).toEqual(entries.map((path) => path.replace('.', '@service/browser')));
  });

  test('the SDK reference has one row per option, and no other rows', () => {
    const options = 'packages/browser/src/options.ts';
    const all = [
      ...fieldsOf(options, 'ErrorsOptions'),
      ...fieldsOf(options, 'CoreOptions'),
      ...fieldsOf('packages/browser/src/client.ts', 'Options'),
    ];
    expect(rows(section(reference, '### Options'))).toEqual(all);
    const documented = named(section(reference, '### Options'));
    const switches = [...fieldsOf(options, 'BreadcrumbSwitches'), ...fieldsOf(options, 'NoiseSwitches')];
    expect(switches.filter((name) => !documented.includes(name))).toEqual([]);
  });

  test('the SDK reference documents every option of @service/browser/errors', () => {
    const documented = named(section(reference, '## `@service/browser/errors`'));
    const all = fieldsOf('packages/browser/src/options.ts', 'ErrorsOptions');
    expect(all.filter((name) => !documented.includes(name))).toEqual([]);
  });

  test('the SDK reference has one row per field of a report, and no other rows', () => {
    const all = fieldsOf('packages/browser/src/report.ts', 'ErrorReport');
    expect(new Set(rows(section(reference, '### The report')))).toEqual(new Set(all));
  });
});
