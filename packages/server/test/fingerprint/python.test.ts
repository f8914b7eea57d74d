import { expect, test } from 'vitest';
import { groupOf } from './report.ts';

/** Returns a traceback of these lines (`file:line function`), outermost first, as in Python. */
function traceback(error: string, ...lines: string[]): string {
  const frames = lines.map((line) => {
    const [, file, at, name] = /^(.+):(\d+) (.+)$/.exec(line)!;
    return `  File "${file}", line ${at}, in ${name}\n    …\n`;
  });
  return `Traceback (most recent call last):\n${frames.join('')}${error}\n`;
}

const main = '/srv/shop/main.py:7 <module>';
const total = '/srv/shop/cart.py:42 total';
const library = '/srv/venv/lib/python3.12/site-packages/requests/adapters.py:501 send';

test('groups a Python error by file and function of the app', () => {
  const { grouping, culprit } = groupOf(traceback("KeyError: 'ann'", main, total));
  expect(grouping).toMatchObject({ rule: 'file', components: ['srv/shop/cart.py', 'total', 'KeyError: <text>'] });
  expect(culprit).toBe('total (srv/shop/cart.py)');
});

test('keeps the group of a Python error when a line is moved or user input changes', () => {
  const moved = traceback("KeyError: 'bob'", '/srv/shop/main.py:9 <module>', '/srv/shop/cart.py:50 total');
  expect(groupOf(moved).fingerprint).toBe(groupOf(traceback("KeyError: 'ann'", main, total)).fingerprint);
});

test('keeps the group of a Python error after a deployment into a new folder', () => {
  const groups = ['20261120101500', '20261121090000'].map((release) =>
    groupOf(traceback('ValueError: no', `/srv/shop/releases/${release}/shop/cart.py:42 total`)),
  );
  expect(groups[0]!.fingerprint).toBe(groups[1]!.fingerprint);
});

test('separates Python errors by function, also with short names', () => {
  const names = ['total', 'f', 'g', 'add', 'b64'];
  const groups = names.map((name) => groupOf(traceback('ValueError: no', main, `/srv/shop/cart.py:42 ${name}`)));
  expect(new Set(groups.map(({ fingerprint }) => fingerprint)).size).toBe(names.length);
});

test("groups an error in a Python library by the app's function that called it", () => {
  const { grouping, culprit } = groupOf(traceback('requests.exceptions.Timeout: 3 s', main, total, library));
  expect(grouping.components).toEqual(['srv/shop/cart.py', 'total', 'requests.exceptions.Timeout in requests']);
  expect(culprit).toBe('total (srv/shop/cart.py)');
});

test('counts a comprehension as its function, in every version of Python', () => {
  const older = traceback('ValueError: no', main, total, '/srv/shop/cart.py:42 <listcomp>');
  expect(groupOf(older).fingerprint).toBe(groupOf(traceback('ValueError: no', main, total)).fingerprint);
});

test('treats a Python lambda as a function without a name', () => {
  const { grouping } = groupOf(traceback('ValueError: no', main, '/srv/shop/cart.py:42 <lambda>'));
  expect(grouping.components).toEqual(['srv/shop/cart.py', '', 'ValueError: no']);
});

test('groups a Python recursion wherever it hits the limit', () => {
  const error = 'RecursionError: maximum recursion depth exceeded';
  const [even, odd] = ['/srv/shop/a.py:1 even', '/srv/shop/a.py:2 odd'];
  const groups = [
    groupOf(traceback(error, main, ...Array.from({ length: 20 }, () => [even!, odd!]).flat())),
    groupOf(
      traceback(
        `${error} while calling a Python object`,
        main,
        ...Array.from({ length: 20 }, () => [odd!, even!]).flat(),
      ),
    ),
  ];
  expect(groups[0]!.grouping.rule).toBe('recursion');
  expect(groups[0]!.fingerprint).toBe(groups[1]!.fingerprint);
});

test('takes the text of a Python error from its first cause and the frame from the last', () => {
  const chained = `${traceback('KeyError: 1', total)}\nThe above exception was the direct cause of the following exception:\n\n${traceback('CartError: no', main, '/srv/shop/api.py:3 show')}`;
  expect(groupOf(chained).grouping.components).toEqual(['srv/shop/api.py', 'show', 'KeyError: <n>']);
});

test('separates missing Python attributes by name', () => {
  const groups = ['name', 'price'].map((name) =>
    groupOf(traceback(`AttributeError: 'NoneType' object has no attribute '${name}'`, main, total)),
  );
  expect(groups.map(({ grouping }) => grouping.components.at(-1))).toEqual(['no-attribute:name', 'no-attribute:price']);
});
