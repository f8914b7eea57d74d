// Each page lists exactly what the code defines: nothing is missing, and nothing is obsolete.
import { readFileSync } from 'node:fs';
import * as sentry from '@sentry/browser';
import { describe, expect, test } from 'vitest';
import { commands } from '../packages/cli/src/commands.ts';
import { optionTypes } from '../packages/cli/src/command.ts';
import { exitCodes } from '../packages/cli/src/exit-codes.ts';
import * as sdk from '../packages/browser/src/index.ts';
import { StreamEvent } from '../packages/protocol/src/stream.ts';

const read = (path: string): string => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Returns the first cells of the table whose head has this first cell. */
function firstCells(page: string, head: string): string[] {
  const [, table] = read(page).split(new RegExp(String.raw`^\| ${head} +\|.*\n`, 'm'));
  expect(table, `${page} has no table ${head}`).toBeDefined();
  const [rows = ''] = table!.split('\n\n');
  return rows
    .split('\n')
    .slice(1)
    .map((row) => row.split('|')[1]?.trim() ?? '');
}

/** Returns the texts between backticks. */
const codes = (cells: string[]): string[] =>
  cells.flatMap((cell) => Array.from(cell.matchAll(/`([^`]+)`/g), ([, code = '']) => code));

describe('docs/cli.md', () => {
  test('lists every command', () => {
    // A cell has a command with its operands, then further commands of the same group: `service login`, `logout`.
    const listed = firstCells('docs/cli.md', 'command').flatMap((cell) => {
      const [first = '', ...others] = codes([cell]).map((code) =>
        code.replace(/^service /, '').replace(/ [[A-Z].*/, ''),
      );
      const group = first.includes(' ') ? `${first.split(' ')[0]} ` : '';
      return [first, ...others.map((other) => group + other)];
    });
    // `service explain` is the short name of this one.
    expect([...listed, 'sourcemaps explain'].toSorted()).toEqual(Object.keys(commands).toSorted());
  });

  test('lists every option', () => {
    const listed = codes(firstCells('docs/cli.md', 'option')).map((code) => code.split(' ')[0]);
    expect(listed.toSorted()).toEqual(['--help', ...Object.keys(optionTypes).map((name) => `--${name}`)].toSorted());
  });

  test('lists every exit code', () => {
    expect(firstCells('docs/cli.md', 'code').map(Number)).toEqual(Object.values(exitCodes));
  });
});

test('docs/source-maps.md lists every option of the bundler plugin', () => {
  const [, fields = ''] = read('packages/bundler-plugin/src/options.ts').split(
    'export interface ServicePluginOptions {',
  );
  const names = Array.from(fields.split('\n}')[0]!.matchAll(/^ {2}(\w+)\?:/gm), ([, name]) => name);
  expect(codes(firstCells('docs/source-maps.md', 'option'))).toEqual(names);
});

test('docs/live-stream.md lists every event', () => {
  const types = StreamEvent.options.flatMap(({ shape: { type } }) =>
    'options' in type ? type.options : [...type.values],
  );
  expect(types.length).toBeGreaterThan(10);
  expect(codes(firstCells('docs/live-stream.md', '`type`')).toSorted()).toEqual(types.toSorted());
});

test('docs/sentry-calls.md has every export of @sentry/browser, and names only what the SDK exports', () => {
  const page = read('docs/sentry-calls.md');
  const exported = Object.keys(sentry);
  expect(exported.length).toBeGreaterThan(100);
  expect(exported.filter((name) => !new RegExp(`\\b${name}\\b`).test(page))).toEqual([]);

  // A counterpart is named by its call: `setTag(name, value)`.
  const counterparts = Array.from(page.matchAll(/^\|.*\|(.*)\|$/gm), ([, cell = '']) => codes([cell])).flat();
  const called = counterparts.flatMap((code) => /^(\w+)\(/.exec(code)?.[1] ?? []);
  expect(called.length).toBeGreaterThan(15);
  const named = new Set([...Object.keys(sdk), 'beforeSend', 'transport']);
  expect(called.filter((name) => !named.has(name))).toEqual([]);
});
