import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findWords, findWordsInPath, partsOf } from './find-words.mjs';
import { exclusions, words } from './words.mjs';

const command = fileURLToPath(new URL('lint.mjs', import.meta.url));

/** Returns findings as `line kind word`, sorted. */
function found(path: string, text: string): string[] {
  return findWords(path, text)
    .map(({ line, kind, word }) => `${line} ${kind} ${word}`)
    .toSorted();
}

describe('lint:words', () => {
  test('distinguishes comments, strings, templates, JSX texts and test titles of TypeScript', () => {
    const text = [
      '// is told // once',
      "const a = 'is told';",
      'const b = `is told ${a /* anew */} and told`;',
      "test('is told', () => {});",
      "describe.skipIf(a)('is told', () => {});",
      "test.each([a])('is told', () => {});",
      'const c = <p title="anew">is told {a}</p>;',
    ].join('\n');
    expect(found('packages/a.tsx', text)).toEqual([
      '1 comment told',
      '2 text told',
      '3 comment anew',
      '3 text told',
      '4 title told',
      '5 title told',
      '6 title told',
      '7 text anew',
      '7 text told',
    ]);
  });

  test.each([
    ['const asTold = 1', 'asTold'],
    ['const [told] = []', 'told'],
    ['function told() {}', 'told'],
    ['const f = (told) => 1', 'told'],
    ['class ToldFrame {}', 'ToldFrame'],
    ['class A { #told = 1 }', 'told'],
    ['class A { get told() { return 1; } }', 'told'],
    ['interface Told {}', 'Told'],
    ['interface A { told: number }', 'told'],
    ['type A = { tellsIt(): void }', 'tellsIt'],
    ['const a = { isTold: 1 }', 'isTold'],
    ['enum A { Told }', 'Told'],
    ["import { a as told } from 'a'", 'told'],
    ['const MOST_REPORTS = 3', 'MOST_REPORTS'],
    ['const mostReports = 3', 'mostReports'],
    ['// See `asTold()`.', 'asTold'],
  ])('finds the declared name in %s', (text, name) => {
    expect(found('packages/a.ts', text)).toEqual([`1 name ${name}`]);
  });

  test.each([
    ['a use of a name that is declared elsewhere', "import { told } from 'a'; a.told(told);"],
    [
      'a name that contains the letters inside a longer word',
      'const stolder = 1, almost = 2, atMost = 3, mostRecent = 4;',
    ],
    ['the path of an import', "import { a } from './told.ts';"],
    ['a regular expression', 'const a = /told/;'],
    ['a part of a hyphenated word', "const a = 'half-told x_told told-x';"],
    ['comment marks inside a string', "const a = 'https://x'; const b = 'x /* y';"],
  ])('skips %s', (_, text) => {
    expect(found('packages/a.ts', text)).toEqual([]);
  });

  test.each([
    ['a.md', 'Prose\nis told\nby `asTold`.', ['2 text told', '3 name asTold']],
    [
      'a.css',
      '/* told */\n.is-told:hover { --told-color: red; content: url(told); }',
      ['1 comment told', '2 name is-told', '2 name --told-color'],
    ],
    [
      'a.html',
      '<!-- told -->\n<p class="a told">anew</p>\n<script>\nlet asTold; // anew\n</script>',
      ['1 comment told', '2 name told', '2 text anew', '4 name asTold', '4 comment anew'],
    ],
    [
      'a.vue',
      '<script setup>\n// told\n</script>\n<template><p>anew</p></template>',
      ['2 comment told', '4 text anew'],
    ],
    ['a.mjs', '#!/usr/bin/env node\n// told\nlet asTold;', ['2 comment told', '3 name asTold']],
    ['a.json', '{ "description": "told" }', ['1 text told']],
    ['a.jsonc', '{\n  // anew\n  "url": "https://told" }', ['2 comment anew', '3 text told']],
    ['a.yaml', 'told: 1 # told\n# so\n# many', ['1 comment told', '2 comment so many']],
    ['.ci/run', '# told\necho told', ['1 comment told']],
    ['a.patch', 'is told\n\ndiff --git a/x b/x\n+told', ['1 comment told']],
  ])('reads %s', (path, text, expected) => {
    expect(found(path, text)).toEqual(expected.toSorted());
  });

  test('applies an entry only to the files in `within`', () => {
    expect(found('packages/browser/src/a.ts', 'class Extras {}')).toEqual(['1 name Extras']);
    expect(found('packages/dashboard/src/a.ts', 'class Extras {}')).toEqual([]);
  });

  test.each([
    ['a block comment', '/**\n * So\n * many\n */'],
    ['line comments', '\n  // So\n  // many'],
    ['Markdown', '\n- So\n  many'],
  ])('finds a phrase that a line break splits in %s', (kind, text) => {
    expect(findWords(kind === 'Markdown' ? 'a.md' : 'a.ts', text)).toMatchObject([{ line: 2, word: 'So many' }]);
  });

  test('reports names of files and folders, each folder once', () => {
    const seen = new Set<string>();
    const paths = ['packages/told/a.ts', 'packages/told/frames-as-told.test.ts', 'packages/browser/take-event.ts'];
    const findings = paths.flatMap((path) => findWordsInPath(path, seen));
    expect(findings.map(({ path, word }) => `${path} ${word}`)).toEqual([
      'packages/told/a.ts told',
      'packages/told/frames-as-told.test.ts frames-as-told',
      'packages/browser/take-event.ts take-event',
    ]);
  });

  test.each([
    'A result stands until the next one comes.',
    'Sent as soon as it is ready.',
    'Is what is stored valid?',
    'What is stored?',
    'Besides, it stood at 3.',
    'Not so long ago.',
  ])('accepts %j', (text) => {
    expect(found('a.md', text.replace('A result', 'The current result'))).toEqual([]);
  });

  test.each([
    'What is left is dropped.',
    'It stands there.',
    'Kept as it is.',
    'It may not be sent any more.',
    'Has a folder of its own.',
  ])('finds the phrase in %j', (text) => {
    expect(found('a.md', text)).toHaveLength(1);
  });

  test('splits camelCase, snake_case and kebab-case names into parts', () => {
    expect(['mostOldReports', 'MOST_OLD_REPORTS', 'most-old-reports', '#mostURLParts'].map(partsOf)).toEqual([
      'most old reports',
      'most old reports',
      'most old reports',
      'most url parts',
    ]);
  });

  test('skips excluded files', () => {
    expect(found('benchmarks/corpus/app/r1/src/told.ts', '// told')).toEqual([]);
    expect(findWordsInPath('benchmarks/corpus/app/r1/src/told.ts', new Set())).toEqual([]);
    expect(found('packages/server/LICENSE', 'told')).toEqual([]);
  });

  test('gives every entry a scope and a replacement, every exclusion a reason', () => {
    for (const { prose, names, whole, write } of words) {
      expect([prose, names, whole].some(Boolean)).toBe(true);
      expect(write).not.toBe('');
      expect(`${prose}${names}`).toBe(`${prose}${names}`.toLowerCase());
    }
    for (const { because } of exclusions) expect(because).not.toBe('');
  });

  describe('as a command', () => {
    let folder: string;

    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'service-words-'));
      spawnSync('git', ['init', '--quiet'], { cwd: folder });
      mkdirSync(join(folder, 'packages/browser/src'), { recursive: true });
      writeFileSync(join(folder, '.gitignore'), 'ignored.ts');
      writeFileSync(join(folder, 'ignored.ts'), '// told');
      writeFileSync(join(folder, 'readme.md'), 'It is\ntold.');
      writeFileSync(join(folder, 'packages/browser/src/tell.ts'), '');
    });

    afterEach(() => rmSync(folder, { recursive: true }));

    function lint(...args: string[]): { status: number | null; lines: string[] } {
      const { status, stdout } = spawnSync(process.execPath, [command, ...args], { cwd: folder, encoding: 'utf8' });
      return { status, lines: stdout.split('\n').filter(Boolean) };
    }

    test('prints findings with path and line, and exits with 1', () => {
      const { status, lines } = lint();
      expect(status).toBe(1);
      expect(lines).toEqual([
        expect.stringMatching(/^packages\/browser\/src\/tell\.ts:1: "tell": write .+ instead$/),
        expect.stringMatching(/^readme\.md:2: "told": write .+ instead$/),
      ]);
    });

    test('counts findings per folder with --summary', () => {
      expect(lint('--summary').lines).toEqual(['     1  packages/browser/src', '     1  .']);
    });

    test('reads only the given paths', () => {
      expect(lint('readme.md').lines).toHaveLength(1);
      expect(lint('.gitignore')).toEqual({ status: 0, lines: [] });
    });

    test('exits with 1 outside a Git repository', () => {
      rmSync(join(folder, '.git'), { recursive: true });
      expect(lint().status).toBe(1);
    });
  });
});
