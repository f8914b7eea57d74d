import { describe, expect, test } from 'vitest';
import { isInApp } from '../../src/stack/is-in-app.ts';
import { parseStack } from '../../src/stack/parse-stack.ts';

const total = '  File "/app/shop/cart.py", line 42, in total\n    return sum(prices)\n           ~~~^^^^^^^^\n';
const main = '  File "/app/main.py", line 7, in <module>\n    print(Cart().total())\n';
const header = 'Traceback (most recent call last):\n';

/** Returns `type | message | functions, top first` of the error and of each cause. */
function brief(text: string): string[] {
  const stack = parseStack(text);
  return [stack, ...stack.causes].map(({ type, message, frames }) =>
    [type ?? '-', message ?? '-', frames.map(({ function: name }) => name ?? '-').join(' ')].join(' | '),
  );
}

describe('a traceback of Python', () => {
  test('is parsed top frame first, although Python lists it last', () => {
    expect(parseStack(`${header}${main}${total}shop.errors.CartError: no such cart\n`)).toEqual({
      type: 'shop.errors.CartError',
      message: 'no such cart',
      frames: [
        {
          function: 'total',
          file: '/app/shop/cart.py',
          line: 42,
          column: null,
          context: [{ line: 42, text: 'return sum(prices)' }],
        },
        {
          function: null,
          file: '/app/main.py',
          line: 7,
          column: null,
          context: [{ line: 7, text: 'print(Cart().total())' }],
        },
      ],
      causes: [],
    });
  });

  test.each([
    ['ValueError', 'ValueError | -'],
    ['KeyboardInterrupt', 'KeyboardInterrupt | -'],
    ['ValueError: ', 'ValueError | -'],
    ["KeyError: 'ann'", "KeyError | 'ann'"],
    ['__main__.CartError: no', 'CartError | no'],
    ['main.f.<locals>.CartError: no', 'main.f.<locals>.CartError | no'],
    ['ValueError: two\nlines', 'ValueError | two\nlines'],
    ['ValueError: two\n    indented lines', 'ValueError | two\nindented lines'],
    ['RecursionError: maximum recursion depth exceeded', 'RecursionError | maximum recursion depth exceeded'],
    ['', '- | -'],
  ])('is parsed with the ending %j', (end, expected) => {
    expect(brief(`${header}${main}${total}${end}\n`)).toEqual([`${expected} | total -`]);
  });

  test('may follow a log line', () => {
    expect(brief(`ERROR:shop:checkout failed\n${header}${main}${total}ValueError: no\n`)).toEqual([
      'ValueError | no | total -',
    ]);
  });

  test('may be indented as a whole', () => {
    const text = `${header}${main}${total}ValueError: no\n`.replaceAll(/^/gm, '    ');
    expect(brief(text)).toEqual(['ValueError | no | total -']);
  });

  test('may have Windows line endings', () => {
    expect(brief(`${header}${main}${total}ValueError: no\n`.replaceAll('\n', '\r\n'))).toEqual([
      'ValueError | no | total -',
    ]);
  });

  test.each([
    ['with a header', header],
    ['without', ''],
  ])('of a syntax error has no function, %s', (_how, begin) => {
    const text = `${begin}  File "/app/shop/cart.py", line 3\n    def total(\n             ^\nSyntaxError: '(' was never closed\n`;
    expect(parseStack(text)).toEqual({
      type: 'SyntaxError',
      message: "'(' was never closed",
      frames: [
        {
          function: null,
          file: '/app/shop/cart.py',
          line: 3,
          column: null,
          context: [{ line: 3, text: 'def total(' }],
        },
      ],
      causes: [],
    });
  });

  test('has the earlier errors as causes, the first one last', () => {
    const text = [
      `${header}${total}KeyError: 'ann'\n`,
      `The above exception was the direct cause of the following exception:\n`,
      `${header}${main}shop.CartError: no cart\n`,
      `During handling of the above exception, another exception occurred:\n`,
      `${header}${main}${total}RuntimeError: boom\n`,
    ].join('\n');
    expect(brief(text)).toEqual([
      'RuntimeError | boom | total -',
      'shop.CartError | no cart | -',
      "KeyError | 'ann' | total",
    ]);
  });

  test('says how each cause led to the next error', () => {
    const cause = 'The above exception was the direct cause of the following exception:';
    const context = 'During handling of the above exception, another exception occurred:';
    const one = `${header}${total}ValueError: no\n`;
    const { causes } = parseStack([one, `${cause}\n`, one, `${context}\n`, one].join('\n'));
    expect(causes.map(({ relation }) => relation)).toEqual(['context', 'cause']);
  });

  test('has no source where Python prints marks or notes', () => {
    const frame = '  File "/app/shop/cart.py", line 42, in total\n';
    const notes = ['    ~~~^^^^^^^^\n', '  [Previous line repeated 993 more times]\n', '    ...<2 lines>...\n'];
    for (const note of notes) {
      expect(parseStack(`${header}${frame}${note}ValueError: no\n`).frames[0]).not.toHaveProperty('context');
    }
  });

  test('has the members of a group as causes', () => {
    const text = [
      '  + Exception Group Traceback (most recent call last):',
      '  |   File "/app/main.py", line 7, in run',
      '  |     raise ExceptionGroup("all failed", errors)',
      '  | ExceptionGroup: all failed (2 sub-exceptions)',
      '  +-+---------------- 1 ----------------',
      '    | Traceback (most recent call last):',
      '    |   File "/app/shop/cart.py", line 42, in total',
      '    |     return sum(prices)',
      '    | ValueError: one',
      '    +---------------- 2 ----------------',
      '    | Traceback (most recent call last):',
      '    |   File "/app/shop/cart.py", line 50, in load',
      '    | KeyError: two',
      '    +------------------------------------',
    ].join('\n');
    expect(brief(text)).toEqual([
      'ExceptionGroup | all failed (2 sub-exceptions) | run',
      'ValueError | one | total',
      'KeyError | two | load',
    ]);
  });

  test('may contain notes about repeated lines, which are not frames', () => {
    const text = `${header}${main}${total}  [Previous line repeated 993 more times]\nRecursionError: maximum recursion depth exceeded\n`;
    expect(brief(text)).toEqual(['RecursionError | maximum recursion depth exceeded | total -']);
  });

  test('reports a comprehension as its enclosing function, as Python does since 3.12', () => {
    const part = '  File "/app/shop/cart.py", line 43, in <listcomp>\n';
    expect(brief(`${header}${main}${total}${part}ValueError: no\n`)).toEqual(['ValueError | no | total total -']);
  });

  test('may contain code without a file', () => {
    const { frames } = parseStack(`${header}  File "<string>", line 1, in <module>\nValueError: no\n`);
    expect(frames).toEqual([{ function: null, file: null, line: 1, column: null, eval: true }]);
  });

  test('in the message of a JavaScript error is not parsed', () => {
    const page = `Error: ${header}${total}ValueError: no\n    at show (https://shop.example/a.js:1:2)`;
    expect(parseStack(page)).toMatchObject({ type: 'Error', frames: [{ function: 'show' }] });
  });

  test('that is repeated shares its frame objects', () => {
    const [first, second, third] = ['ann', 'bob', 'eve'].map(
      (name) => parseStack(`${header}${main}${total}KeyError: '${name}'\n`).frames,
    );
    expect(first).toEqual(third);
    expect(second).toBe(third);
  });
});

test.each([
  ['/app/shop/cart.py', true],
  ['shop/cart.py', true],
  ['C:\\shop\\cart.py', true],
  ['/app/.venv/lib/python3.12/site-packages/requests/adapters.py', false],
  ['/usr/lib/python3/dist-packages/requests/adapters.py', false],
  ['/usr/lib/python3.12/json/decoder.py', false],
  ['/usr/local/lib/python3.12/asyncio/tasks.py', false],
  ['/usr/lib64/python3.12/json/decoder.py', false],
  ['/usr/lib/pypy3.9/json/decoder.py', false],
  ['/opt/pypy/lib-python/3/json/decoder.py', false],
  ['/opt/pypy/lib_pypy/_sqlite3.py', false],
  ['/usr/lib/python312.zip/json/decoder.py', false],
  ['C:\\Python312\\Lib\\json\\decoder.py', false],
  ['C:\\Users\\Ann\\AppData\\Local\\Programs\\Python\\Python312\\Lib\\json\\decoder.py', false],
  ['<frozen importlib._bootstrap>', false],
])('a frame in %s belongs to the app: %s', (file, expected) => {
  expect(isInApp({ file }, null)).toBe(expected);
});
