import { limits } from '@service/protocol';
import { describe, expect, test } from 'vitest';
import { countTextWork } from '../../../../test/test-utils/count-text-work.ts';
import { randomBelow } from '../../../../test/test-utils/seeded-random.mjs';
import { parseStack } from '../../src/stack/parse-stack.ts';
import type { StackFrame } from '../../src/stack/stack-frame.ts';

const app = 'https://shop.example/assets/app.js';

/** Returns the frame of a line, without the heading of its trace. */
function frameOf(line: string): StackFrame | undefined {
  return parseStack(`Error: x\n${line}`).frames[0];
}

/** Returns `function | file | line | column | flags`, which is easy to compare. */
function brief(line: string): string {
  const frame = frameOf(line);
  if (!frame) return 'no frame';
  const { function: name, file, line: at, column, ...flags } = frame;
  return [name, file, at, column, ...Object.keys(flags)].map((part) => part ?? '-').join(' | ');
}

describe('stack frames of every engine', () => {
  test.each([
    // V8: Chromium, Edge, Node
    [`    at checkout (${app}:3:14)`, `checkout | ${app} | 3 | 14`],
    [`    at ${app}:3:14`, `- | ${app} | 3 | 14`],
    [`    at <anonymous> (${app}:3:14)`, `- | ${app} | 3 | 14`],
    [`    at new Cart (${app}:3:14)`, `new Cart | ${app} | 3 | 14`],
    [`    at async load (${app}:3:14)`, `load | ${app} | 3 | 14 | async`],
    [`    at async ${app}:3:14`, `- | ${app} | 3 | 14 | async`],
    ['    at async Promise.all (index 1)', 'Promise.all | - | - | - | native | async'],
    [`    at Object.<anonymous> (${app}:3:14)`, `Object.<anonymous> | ${app} | 3 | 14`],
    [`    at Cart.run [as total] (${app}:3:14)`, `Cart.run [as total] | ${app} | 3 | 14`],
    ['    at Array.map (<anonymous>)', 'Array.map | - | - | - | native'],
    ['    at Array.map (native)', 'Array.map | - | - | - | native'],
    ['    at <anonymous>:1:7', '- | - | 1 | 7'],
    [`    at eval (eval at make (${app}:1:24506), <anonymous>:3:38)`, `eval | ${app} | 1 | 24506 | eval`],
    [`    at eval (eval at a (eval at b (${app}:1:2)), <anonymous>:3:38)`, `eval | ${app} | 1 | 2 | eval`],
    ['    at eval (eval at <anonymous> (<anonymous>:1:1), <anonymous>:3:38)', 'eval | - | 3 | 38 | eval'],
    [`    at total (${app})`, `total | ${app} | - | -`],
    [`    at ${app}?v=3`, `- | ${app}?v=3 | - | -`],
    ['    at f (wasm://wasm/0a1b2c:wasm-function[12]:0x3a4)', 'f | wasm://wasm/0a1b2c:wasm-function[12]:0x3a4 | - | -'],
    ['    at run (webpack-internal:///./src/a.js?:5:6)', 'run | webpack-internal:///./src/a.js? | 5 | 6'],
    ['    at run (http://localhost:5173/src/a.ts?t=17123:5:6)', 'run | http://localhost:5173/src/a.ts?t=17123 | 5 | 6'],
    ['    at run (blob:https://shop.example/9f-12:5:6)', 'run | blob:https://shop.example/9f-12 | 5 | 6'],
    ['    at run (C:\\Program Files (x86)\\app\\a.js:5:6)', 'run | C:\\Program Files (x86)\\app\\a.js | 5 | 6'],
    [`    at Object.on(click) (${app}:3:14)`, `Object.on(click) | ${app} | 3 | 14`],
    [`    at async Object.on (click) (${app}:3:14)`, `Object.on (click) | ${app} | 3 | 14 | async`],
    [`    at Object.on (click) now (${app}:3:14)`, `Object.on (click) now | ${app} | 3 | 14`],
    ['    at run (/home/me/shop (copy) (2)/app.js:5:6)', 'run | /home/me/shop (copy) (2)/app.js | 5 | 6'],
    ['    at run (C:\\Users\\me\\shop (1) (2)\\app.js:5:6)', 'run | C:\\Users\\me\\shop (1) (2)\\app.js | 5 | 6'],
    ['    at run (/home/me/:)/app.js:5:6)', 'run | /home/me/:)/app.js | 5 | 6'],
    [
      `    at eval (eval at f (eval at g (${app}:3:14), <anonymous>:1:2), <anonymous>:3:4)`,
      `eval | ${app} | 3 | 14 | eval`,
    ],
    [`    at eval (eval at on (a) (${app}:3:14), <anonymous>:1:2)`, `eval | ${app} | 3 | 14 | eval`],
    // Node and Bun print properties of the error after its stack.
    [`    at checkout (${app}:3:14) {`, `checkout | ${app} | 3 | 14`],
    [`    at ${app}:3:14 {`, `- | ${app} | 3 | 14`],
    // Another reading of these frames of Bun needs a higher `groupingVersion`.
    ['    at processTicksAndRejections (native:7:39)', 'processTicksAndRejections | native | 7 | 39'],
    ['    at node:internal/timers:581:17', '- | node:internal/timers | 581 | 17'],
    ['    at file:///C:/app/a.js:5:6', '- | file:///C:/app/a.js | 5 | 6'],
    ['    at chrome-extension://abcdef/a.js:5:6', '- | chrome-extension://abcdef/a.js | 5 | 6'],
    ['    at data:text/javascript,throw 1:1:7', '- | data:text/javascript,throw 1 | 1 | 7'],
    [
      '    at Page (webpack-internal:///(rsc)/./app/(shop)/page.tsx:5:6)',
      'Page | webpack-internal:///(rsc)/./app/(shop)/page.tsx | 5 | 6',
    ],
    [
      '    at run (http://localhost:5173/@fs/home/ann/a.ts:5:6)',
      'run | http://localhost:5173/@fs/home/ann/a.ts | 5 | 6',
    ],
    [`    at HTMLButtonElement.<anonymous> (${app}:3:14)`, `HTMLButtonElement.<anonymous> | ${app} | 3 | 14`],
    [
      `    at Cart.<instance_members_initializer> (${app}:3:14)`,
      `Cart.<instance_members_initializer> | ${app} | 3 | 14`,
    ],
    [`    at Cart.[Symbol.iterator] (${app}:3:14)`, `Cart.[Symbol.iterator] | ${app} | 3 | 14`],
    [`    at #total (${app}:3:14)`, `#total | ${app} | 3 | 14`],
    ['    at new Promise (<anonymous>)', 'new Promise | - | - | - | native'],
    ['    at eval (native)', 'eval | - | - | - | native'],
    ['    at async Promise.allSettled (index 2)', 'Promise.allSettled | - | - | - | native | async'],
    [`    at f (${app}:wasm-function[12]:0x3a4)`, `f | ${app}:wasm-function[12]:0x3a4 | - | -`],
    ['    at total (address at index.android.bundle:1:2345)', 'total | index.android.bundle | 1 | 2345'],
    ['    at total (unknown source)', 'total | - | - | -'],
    [`    at Anonymous function (${app}:3:14)`, `- | ${app} | 3 | 14`],
    [`    at Global code (${app}:3:14)`, `- | ${app} | 3 | 14`],
    ['    at total (eval code:3:14)', 'total | - | 3 | 14 | eval'],
    // SpiderMonkey: Firefox
    [`checkout@${app}:3:14`, `checkout | ${app} | 3 | 14`],
    [`@${app}:3:14`, `- | ${app} | 3 | 14`],
    [`load/items</<@${app}:3:14`, `load/items</< | ${app} | 3 | 14`],
    [`async*load@${app}:3:14`, `load | ${app} | 3 | 14 | async`],
    [`promise callback*load@${app}:3:14`, `load | ${app} | 3 | 14 | async`],
    [`get discount@${app}:3:14`, `get discount | ${app} | 3 | 14`],
    [`anonymous@${app} line 1 > Function:3:46`, 'anonymous | - | 3 | 46 | eval'],
    [`f@${app} line 1 > eval line 2 > eval:3:46`, 'f | - | 3 | 46 | eval'],
    [`node_modules/a@4/a.js/f<@${app}:3:14`, `node_modules/a@4/a.js/f< | ${app} | 3 | 14`],
    [`setTimeout handler*load@${app}:3:14`, `load | ${app} | 3 | 14 | async`],
    [`EventListener.handleEvent*@${app}:3:14`, `- | ${app} | 3 | 14 | async`],
    [`#total@${app}:3:14`, `#total | ${app} | 3 | 14`],
    ['forEach@self-hosted:221:13', 'forEach | - | - | - | native'],
    ['total@debugger eval code:1:7', 'total | - | 1 | 7 | eval'],
    [`total@${app}:wasm-function[12]:0x3a4`, `total | ${app}:wasm-function[12]:0x3a4 | - | -`],
    ['load@moz-extension://abcdef/a.js:5:6', 'load | moz-extension://abcdef/a.js | 5 | 6'],
    ['load@resource://gre/modules/a.sys.mjs:5:6', 'load | resource://gre/modules/a.sys.mjs | 5 | 6'],
    ['load@blob:https://shop.example/9f-12:5:6', 'load | blob:https://shop.example/9f-12 | 5 | 6'],
    [`total(1,"a",[object Object])@${app}:3`, `total | ${app} | 3 | -`],
    [`()@${app}:3`, `- | ${app} | 3 | -`],
    ['f@https://cdn.example/react@18.2.0/a.js:3:14', 'f | https://cdn.example/react@18.2.0/a.js | 3 | 14'],
    // JavaScriptCore: Safari
    ['forEach@[native code]', 'forEach | - | - | - | native'],
    ['@[native code]', '- | - | - | - | native'],
    ['[native code]', '- | - | - | - | native'],
    [`global code@${app}:3:14`, `global code | ${app} | 3 | 14`],
    ['eval code@', 'eval code | - | - | -'],
    [`module code@${app}:3:14`, `module code | ${app} | 3 | 14`],
    ['<?>.wasm-function[12]@[wasm code]', '<?>.wasm-function[12] | - | - | - | native'],
    ['@webkit-masked-url://hidden/:5:6', '- | webkit-masked-url://hidden/ | 5 | 6'],
    [`total@file:///var/app/a.js:3:14`, `total | file:///var/app/a.js | 3 | 14`],
    ['tailCalled@', 'tailCalled | - | - | -'],
    [`${app}:3:14`, `- | ${app} | 3 | 14`],
    [`f@${app}:3`, `f | ${app} | 3 | -`],
    // Not frames
    ['at least one item is needed', 'no frame'],
    ['    at line 5', 'no frame'],
    ['write to help@shop.example', 'no frame'],
    ['…[truncated]', 'no frame'],
    ['', 'no frame'],
  ])('%s', (line, expected) => {
    expect(brief(line)).toBe(expected);
  });
});

describe('the heading of a stack trace', () => {
  test.each([
    ['TypeError: x is not a function', 'TypeError', 'x is not a function'],
    ['Uncaught TypeError: x', 'TypeError', 'x'],
    ['Uncaught (in promise) TypeError: x', 'TypeError', 'x'],
    ['Uncaught (in promise): TypeError: x', 'TypeError', 'x'],
    ['Unhandled Promise Rejection: TypeError: x', 'TypeError', 'x'],
    ['uncaught exception: Oops: x', 'Oops', 'x'],
    ['TypeError', 'TypeError', null],
    ['my.app.HttpError: GET /a: 500', 'my.app.HttpError', 'GET /a: 500'],
    ['undefined', null, 'undefined'],
    ['Script error.', null, 'Script error.'],
    ['it failed at 10:30', null, 'it failed at 10:30'],
  ])('%s', (line, type, message) => {
    expect(parseStack(`${line}\n    at f (${app}:1:2)`)).toMatchObject({ type, message });
  });

  test('keeps all lines of a message', () => {
    const { message, frames } = parseStack(`ZodError: [\n  "code",\n  at line 5\n]\n    at parse (${app}:1:2)`);
    expect(message).toBe('[\n"code",\nat line 5\n]');
    expect(frames).toHaveLength(1);
  });

  test('reads no heading from traces of Firefox and Safari, which have none', () => {
    expect(parseStack(`f@${app}:1:2\n`)).toMatchObject({ type: null, message: null });
  });
});

test('returns frames top first, and each cause with its own frames', () => {
  const stack = parseStack(
    [
      'SyncError: could not sync',
      `    at push (${app}:1:1)`,
      `    at save (${app}:2:1)`,
      'Caused by: HttpError: status 500',
      `    at send (${app}:3:1)`,
      'Caused by: connection lost',
    ].join('\n'),
  );
  expect(stack).toMatchObject({ type: 'SyncError', message: 'could not sync' });
  expect(stack.frames.map((frame) => frame.function)).toEqual(['push', 'save']);
  expect(stack.causes).toMatchObject([
    { type: 'HttpError', message: 'status 500', frames: [{ function: 'send' }] },
    { type: null, message: 'connection lost', frames: [] },
  ]);
});

test('reads causes of a trace without a heading', () => {
  const { type, frames, causes } = parseStack(`push@${app}:1:1\n\nCaused by: Error: no\nsend@${app}:3:1`);
  expect(type).toBeNull();
  expect(frames).toHaveLength(1);
  expect(causes).toMatchObject([{ type: 'Error', message: 'no', frames: [{ function: 'send' }] }]);
});

test('parses an empty text to no frames', () => {
  expect(parseStack('')).toEqual({ type: null, message: null, frames: [], causes: [] });
});

test('a frame without flags has exactly the fields of `raw`', () => {
  expect(frameOf(`f@${app}:1:2`)).toEqual({ function: 'f', file: app, line: 1, column: 2 });
});

test('parses only the first lines of an endless trace', () => {
  expect(parseStack(`f@${app}:1:2\n`.repeat(5_000)).frames).toHaveLength(limits.stacktraceLines + 1);
});

describe('malicious stack traces', () => {
  const pieces = [
    'at ',
    'async ',
    '(',
    ')',
    '@',
    ':1',
    ':',
    '\n',
    'http://',
    ' line 1 > eval',
    '<anonymous>',
    '*',
    'é',
    '\0',
    '\ud800',
    'Caused by: ',
    '[native code]',
    '/<',
    'Traceback (most recent call last):',
    '+ Exception Group Traceback (most recent call last):\n',
    '  File "a.py", line 1, in f\n',
    'File "',
    '", line 1',
    '  | ',
    ':wasm-function[1]:0x1',
    'eval at ',
    'a',
  ];

  test('never throws for random pieces of traces', () => {
    const next = randomBelow(7);
    for (let round = 0; round < 3_000; round += 1) {
      const text = Array.from({ length: next(60) }, () => pieces[next(pieces.length)]).join('');
      expect(() => parseStack(text)).not.toThrow();
    }
  });

  test.each(pieces.map((piece) => [JSON.stringify(piece), piece]))(
    'parses a stack of many %s in linear time',
    async (_name, piece) => {
      const [small = 0, large = 0] = [
        await countTextWork(() => parseStack(piece.repeat(4 * 1_024))),
        await countTextWork(() => parseStack(piece.repeat(16 * 1_024))),
      ];
      // Quadratic time would grow sixteenfold.
      expect(large / small).toBeLessThan(6);
    },
  );
});
