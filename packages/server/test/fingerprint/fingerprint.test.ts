import { describe, expect, test, vi } from 'vitest';
import { countTextWork } from '../../../../test/test-utils/count-text-work.ts';
import type { FingerprintInput } from '../../src/fingerprint/fingerprint-input.ts';
import type { Fingerprint } from '../../src/fingerprint/fingerprint.ts';
import type { GroupedFrame } from '../../src/fingerprint/grouped-frame.ts';
import { fingerprintOf, fingerprintOfStack, sourceFrame } from './fingerprint-of.ts';

const bundle = 'https://shop.example/assets/index-46KHIFEC.js';
const source = 'http://localhost:5173/src/cart.ts';

describe('grouping: one bug has one group', () => {
  test('a fingerprint has 32 lower-case hexadecimal digits', () => {
    expect(fingerprintOf().fingerprint).toMatch(/^[0-9a-f]{32}$/);
  });

  test('keeps the group when a line is moved', () => {
    expect(fingerprintOf({ frames: [sourceFrame({ line: 97, column: 31 })] }).fingerprint).toBe(
      fingerprintOf().fingerprint,
    );
  });

  test('keeps the group when a wrapper is added around the call', () => {
    const wrapper = sourceFrame({ function: 'withRetry', file: 'src/retry.ts' });
    expect(fingerprintOf({ frames: [sourceFrame(), wrapper] }).fingerprint).toBe(fingerprintOf().fingerprint);
  });

  test('normalizes the path formats of all bundlers to one', () => {
    const files = [
      'src/cart.ts',
      './src/cart.ts',
      '../../src/cart.ts',
      'webpack://shop/./src/cart.ts?1a2b',
      'webpack:///src/cart.ts',
    ];
    expect(new Set(files.map((file) => fingerprintOf({ frames: [sourceFrame({ file })] }).fingerprint)).size).toBe(1);
  });

  test('groups one error of three engines that word it differently', () => {
    const messages = [
      "Cannot read properties of undefined (reading 'price')",
      "Cannot read property 'price' of null",
      'can\'t access property "price", t.product is undefined',
      "undefined is not an object (evaluating 't.product.price')",
    ];
    expect(new Set(messages.map((message) => fingerprintOf({ message }).fingerprint)).size).toBe(1);
  });

  test('keeps an unlisted engine message out of the key', () => {
    const odd = ['Invalid flux value', 'flux value out of range: 7', 'x is no flux'];
    const groups = odd.map((message) => fingerprintOf({ type: 'RangeError', message }));
    expect(new Set(groups.map((one) => one.fingerprint)).size).toBe(1);
    expect(groups[0]!.grouping.components).toEqual(['src/cart.ts', 'Cart.total', 'RangeError']);
  });

  test('keeps a property that a user chose out of the key', () => {
    const frames = [sourceFrame({ code: ['return this.buckets[key].size;'] })];
    const [ann, bob] = ['ann', 'bob'].map((user) =>
      fingerprintOf({ frames, message: `Cannot read properties of undefined (reading '${user}')` }),
    );
    expect(ann!.fingerprint).toBe(bob!.fingerprint);
    expect(JSON.stringify(ann!.grouping)).not.toContain('ann');
  });

  test('keeps the group when an id in the message changes', () => {
    const frames = [sourceFrame({ code: ['throw new Error(`Could not load order ${id}`);'] })];
    const [one, other] = ['4711', '4712'].map((id) =>
      fingerprintOf({ type: 'Error', frames, message: `Could not load order ${id}` }),
    );
    expect(one!.fingerprint).toBe(other!.fingerprint);
  });

  test('reads the error class from the message if the type is missing', () => {
    for (const message of [
      "Uncaught TypeError: Cannot read properties of undefined (reading 'price')",
      "Uncaught (in promise) TypeError: Cannot read properties of undefined (reading 'price')",
    ]) {
      expect(fingerprintOf({ type: null, message }).fingerprint).toBe(fingerprintOf().fingerprint);
    }
  });

  test('ignores awaiting callers, which only V8 reports', () => {
    const awaiting = sourceFrame({
      function: 'onClick',
      raw: { function: 'x', file: bundle, line: 1, column: 9, async: true },
    });
    expect(fingerprintOf({ frames: [sourceFrame(), awaiting] }).fingerprint).toBe(fingerprintOf().fingerprint);
  });

  test('skips the constructor of an error class for the frame key', () => {
    const declared = sourceFrame({
      function: 'HttpError',
      file: 'src/errors.ts',
      code: ['class HttpError extends Error {', '  constructor(status) {', '    super(`status ${status}`);'],
    });
    expect(fingerprintOf({ frames: [declared, sourceFrame()] }).fingerprint).toBe(fingerprintOf().fingerprint);
    const unnamed = { ...declared, function: null, named: false };
    expect(fingerprintOf({ frames: [unnamed, sourceFrame()] }).fingerprint).toBe(fingerprintOf().fingerprint);
  });

  test('ignores the class frame that Safari adds to a call without new', () => {
    const type = 'TypeError';
    const callee = sourceFrame({ function: 'Filter', code: ['class Filter {'] });
    const safari = fingerprintOf({
      type,
      message: 'Cannot call a class constructor without |new|',
      frames: [callee, sourceFrame()],
    });
    const firefox = fingerprintOf({
      type,
      message: "class constructors must be invoked with 'new'",
      frames: [sourceFrame()],
    });
    expect(safari.fingerprint).toBe(firefox.fingerprint);
  });

  test('keeps the group of a function that is wrapped in a callback', () => {
    const runner = sourceFrame({ function: 'measured', file: 'src/measured.ts' });
    const callback = sourceFrame({ function: 'Cart.total.<anonymous>' });
    expect(fingerprintOf({ frames: [callback, runner, sourceFrame()] }).fingerprint).toBe(fingerprintOf().fingerprint);
  });

  test('uses a function whose frame Safari elided as the frame key, except for operator errors', () => {
    const callee = { file: 'src/cart.ts', function: 'Cart.total' };
    const error = { type: 'RangeError', message: 'precision 102 out of range' };
    const safari = (given: Partial<FingerprintInput>): Fingerprint =>
      fingerprintOf({ ...given, frames: [sourceFrame({ function: 'onClick', file: 'src/page.ts', callee })] });
    expect(safari(error).fingerprint).toBe(fingerprintOf(error).fingerprint);
    expect(safari({}).fingerprint).not.toBe(fingerprintOf().fingerprint);
  });

  test('keeps the group of a throw helper that is wrapped in a callback', () => {
    const helper = sourceFrame({ function: 'must', code: ['throw new MissingError(what);'] });
    const runner = sourceFrame({ function: 'measured', file: 'src/measured.ts' });
    const caller = sourceFrame({ function: 'open', file: 'src/port.ts' });
    const thrown = { type: 'MissingError', message: 'Nothing there' };
    const wrapped = fingerprintOf({
      ...thrown,
      frames: [{ ...helper, function: 'must.<anonymous>' }, runner, helper, caller],
    });
    expect(wrapped.fingerprint).toBe(fingerprintOf({ ...thrown, frames: [helper, caller] }).fingerprint);
  });

  test('groups an error that wraps others by its cause, wherever it is awaited', () => {
    const frames = [sourceFrame({ function: 'ask', code: ["throw new Error('The bank is closed');"] })];
    const causes = [{ type: 'Error', message: 'The bank is closed', frames }];
    const [v8, firefox] = [[], [sourceFrame({ function: 'pay' })]].map((watched) =>
      fingerprintOf({ type: 'AggregateError', message: 'All promises were rejected', frames: watched, causes }),
    );
    expect(v8!.fingerprint).toBe(firefox!.fingerprint);
    expect(v8!.grouping.components).toEqual(['src/cart.ts', 'ask', 'The bank is closed']);
  });

  test('groups a recursion by all its functions, whichever of them hits the limit', () => {
    const [even, odd] = ['isEven', 'isOdd'].map((name) => sourceFrame({ function: name }));
    const message = 'Maximum call stack size exceeded';
    const one = fingerprintOf({ type: 'RangeError', message, frames: [even!, odd!, even!, odd!] });
    const other = fingerprintOf({
      type: 'InternalError',
      message: 'too much recursion',
      frames: [odd!, even!, odd!, even!],
    });
    expect(one.fingerprint).toBe(other.fingerprint);
    expect(one.grouping.rule).toBe('recursion');
  });

  test.each([
    [
      'Failed to fetch dynamically imported module: https://shop.example/assets/cart-46KHIFEC.js',
      'Importing a module script failed.',
    ],
    ['Script error.', 'Script error'],
    ['ResizeObserver loop limit exceeded', 'ResizeObserver loop completed with undelivered notifications.'],
  ])('groups by the kind alone: %s', (one, other) => {
    expect(fingerprintOf({ message: one }).fingerprint).toBe(
      fingerprintOf({ type: null, message: other, frames: [] }).fingerprint,
    );
    expect(fingerprintOf({ message: one }).grouping.rule).toBe('kind');
  });
});

describe('grouping: texts of developers and values of users', () => {
  const crossing = ['const code = crossing.code;', 'if (free < 1) throw new Error(`Ferry ${code} is full`);'];
  const of = (message: string, code = crossing, ...callers: GroupedFrame[]): Fingerprint =>
    fingerprintOf({ type: 'Error', message, frames: [sourceFrame({ code }), ...callers] });

  test('recognizes the values in a message by the template literal in the source', () => {
    expect(of('Ferry indigo is full').fingerprint).toBe(of('Ferry delta is full').fingerprint);
    expect(of('Ferry indigo is full').grouping.components.at(-1)).toBe('Ferry <value> is full');
  });

  test('separates two template literals in one function', () => {
    const code = [...crossing, 'throw new Error(`Ferry ${code} is late`);'];
    expect(of('Ferry indigo is full', code).fingerprint).not.toBe(of('Ferry indigo is late', code).fingerprint);
  });

  test('keeps a number that is part of a word in a string literal of the source', () => {
    const code = ["if (!cart) throw new Error('E1001: no cart');", "if (!seats) throw new Error('E1002: no cart');"];
    expect(of('E1001: no cart', code).fingerprint).not.toBe(of('E1002: no cart', code).fingerprint);
    expect(of('E1007: no cart', code).fingerprint).toBe(of('E1008: no cart', code).fingerprint);
    const helper = ['throw new Error(text);'];
    const callers = ['E1001', 'E1002'].map((name) => sourceFrame({ code: [`fail("${name}");`] }));
    const [first, second] = callers.map((caller, index) => of(`E100${index + 1}`, helper, caller));
    expect(first!.fingerprint).not.toBe(second!.fingerprint);
  });

  test('separates messages that are constants with different numbers', () => {
    const code = ['throw new Error(reason);'];
    expect(of('ERR_1001_X', code).fingerprint).not.toBe(of('ERR_1002_Y', code).fingerprint);
    expect(of('ERR_1001_X', code).fingerprint).not.toBe(of('ERR_1002_X', code).fingerprint);
  });

  test('keeps a text that the caller passes as a string literal', () => {
    const code = ['throw new Error(`Nothing there of ${what}`);'];
    const caller = sourceFrame({ function: 'open', code: ["must(port, 'port');", "must(cabin, 'cabin');"] });
    const [port, cabin] = ['port', 'cabin'].map((what) => of(`Nothing there of ${what}`, code, caller));
    expect(port!.fingerprint).not.toBe(cabin!.fingerprint);
    // Without a caller that contains them, several words count as a value, too.
    const [first, deck] = ['the first one', 'the deck'].map((what) => of(`Nothing there of ${what}`, code));
    expect(first!.fingerprint).toBe(deck!.fingerprint);
  });

  test('replaces an engine message inside a template in the same way for every engine', () => {
    const code = ['throw new Error(`Could not open the theme ${name}: ${error.message}`);'];
    const groups = [
      'can\'t access property "hue", e is undefined',
      "Cannot read properties of undefined (reading 'hue')",
    ].map((message) => of(`Could not open the theme dark: ${message}`, code).grouping.components.at(-1));
    expect(groups).toEqual(Array(2).fill('Could not open the theme <value>: <nullish>'));
  });

  test('ignores a template literal without words, or one that does not match', () => {
    const own = 'Ferry indigo is full';
    expect(of('Ferry indigo is full', ['throw new Error(`${reason}`);']).grouping.components.at(-1)).toBe(own);
    expect(of('Ferry indigo is full', ['throw new Error(`Ship ${code} is full`);']).grouping.components.at(-1)).toBe(
      own,
    );
    expect(of('Ferry indigo is full', ['throw new Error(`Ferry ${code']).grouping.components.at(-1)).toBe(own);
  });
});

describe('grouping: validation libraries', () => {
  const issues = (...paths: unknown[][]): string =>
    JSON.stringify(paths.map((path) => ({ code: 'invalid_type', path, message: 'Required' })));
  const checked = (message: string, frames = [sourceFrame()]): Fingerprint =>
    fingerprintOf({ type: 'ZodError', message, frames });

  test('groups a validation error by the paths of its issues, not by its texts', () => {
    const older = JSON.stringify([{ expected: 'string', received: 'number', path: ['rows', 3, 'mail'] }]);
    expect(checked(issues(['rows', 7, 'mail'])).fingerprint).toBe(checked(older).fingerprint);
    expect(checked(older).grouping.components.at(-1)).toBe('<issues> rows.<n>.mail');
    expect(checked(issues(['seats'])).fingerprint).not.toBe(checked(older).fingerprint);
  });

  test('groups a validation error alike with and without the frames of the library', () => {
    const library = sourceFrame({ file: 'node_modules/zod/lib/index.mjs', function: 'parse', in_app: false });
    const message = issues(['seats']);
    expect(checked(message, [library, sourceFrame()]).fingerprint).toBe(checked(message).fingerprint);
    expect(checked(message, [library]).fingerprint).toBe(checked(message, []).fingerprint);
  });

  test('treats a text that only begins like a list of issues as a message', () => {
    for (const message of ['[{', '[{"path": 5}]', '[{"a": 1}]', '[]'])
      expect(checked(message).grouping.components.at(-1)).not.toContain('<issues>');
  });
});

describe('grouping: two bugs have two groups', () => {
  test('separates errors by function, file and property', () => {
    const groups = [
      fingerprintOf(),
      fingerprintOf({ frames: [sourceFrame({ function: 'Cart.tax' })] }),
      fingerprintOf({ frames: [sourceFrame({ file: 'src/order.ts' })] }),
      fingerprintOf({ message: "Cannot read properties of undefined (reading 'product')" }),
    ];
    expect(new Set(groups.map((one) => one.fingerprint)).size).toBe(groups.length);
  });

  test('separates errors by the message of the app', () => {
    const frames = [sourceFrame({ code: ["throw new Error(full ? 'cart is full' : 'cart is closed');"] })];
    const groups = ['cart is full', 'cart is closed'].map((message) =>
      fingerprintOf({ type: 'Error', message, frames }),
    );
    expect(groups[0]!.fingerprint).not.toBe(groups[1]!.fingerprint);
  });

  test('adds the caller of a throw helper to the key', () => {
    const helper = sourceFrame({
      function: 'invariant',
      file: 'src/invariant.ts',
      code: ['if (!condition) {', '  throw new Error(text);'],
    });
    const groups = ['Cart.total', 'Order.send'].map((caller) =>
      fingerprintOf({ type: 'Error', message: 'user is missing', frames: [helper, sourceFrame({ function: caller })] }),
    );
    expect(groups[0]!.fingerprint).not.toBe(groups[1]!.fingerprint);
  });

  test('ignores the caller of a function that throws its own message and is no throw helper', () => {
    const load = sourceFrame({ function: 'load', code: ["throw new Error('user is missing');"] });
    const groups = ['Cart.total', 'Order.send'].map((caller) =>
      fingerprintOf({ type: 'Error', message: 'user is missing', frames: [load, sourceFrame({ function: caller })] }),
    );
    expect(groups[0]!.fingerprint).toBe(groups[1]!.fingerprint);
  });

  test('separates two root causes below one retry loop', () => {
    const causes = ['disk is full', 'no such table'].map((message) => [{ type: 'Error', message, frames: [] }]);
    const groups = causes.map((chain) => fingerprintOf({ type: 'SyncError', message: 'gave up', causes: chain }));
    expect(groups[0]!.fingerprint).not.toBe(groups[1]!.fingerprint);
  });
});

describe('grouping: libraries', () => {
  const lodash = sourceFrame({ file: '../../node_modules/lodash/sortBy.js', function: 'baseSortBy', in_app: false });

  test('groups an error of a library by class and package, not by its message', () => {
    const groups = ['Expected a function', 'iteratee must be a function'].map((message) =>
      fingerprintOf({ message, frames: [lodash, sourceFrame()] }),
    );
    expect(groups[0]!.fingerprint).toBe(groups[1]!.fingerprint);
    expect(groups[0]!.grouping.components).toEqual(['src/cart.ts', 'Cart.total', 'TypeError in lodash']);
  });

  test('uses the frame of a library as the key if the app has no frame', () => {
    const { grouping, culprit } = fingerprintOf({ frames: [lodash] });
    expect(grouping).toMatchObject({
      rule: 'library',
      components: ['node_modules/lodash/sortBy.js:baseSortBy', 'TypeError in lodash'],
    });
    expect(culprit).toBeNull();
  });
});

describe('grouping: without a source map', () => {
  test('groups frames of readable files of three engines alike', () => {
    const traces = [
      `TypeError: Cannot read properties of undefined (reading 'price')\n    at Cart.total (${source}?t=1:3:9)\n    at Array.map (<anonymous>)`,
      `TypeError: can't access property "price", e.product is undefined\ntotal@${source}?t=2:3:7\n`,
      `TypeError: undefined is not an object (evaluating 'e.product.price')\ntotal@${source}:4:10\nmap@[native code]`,
    ];
    const groups = traces.map((trace) => fingerprintOfStack(trace, { url: 'http://localhost:5173/' }));
    expect(new Set(groups.map((one) => one.fingerprint)).size).toBe(1);
  });

  test('groups errors of browser functions, which each browser words differently', () => {
    const groups = [
      "Failed to execute 'observe' on 'ResizeObserver': parameter 1 is not of type 'Element'.",
      'ResizeObserver.observe: Argument 1 is not an object.',
      "Argument 1 ('target') to ResizeObserver.observe must be an instance of Element",
      'Argument 1 of ResizeObserver.observe is not an object.',
    ].map((message) => fingerprintOfStack(`TypeError: ${message}\n    at nn (${bundle}:1:21643)`).grouping.components);
    expect(new Set(groups.map((components) => components.join()))).toEqual(
      new Set(['TypeError in ResizeObserver.observe']),
    );
  });

  test('uses uncommon engine messages only if the source is unknown', () => {
    const type = 'RangeError';
    const message = 'precision 102 out of range';
    expect(fingerprintOfStack(`${type}: ${message}\n    at nn (${bundle}:1:21643)`).grouping.components).toEqual([
      'number-digits',
    ]);
    expect(fingerprintOf({ type, message }).grouping.components.at(-1)).toBe(type);
  });

  test('keeps the group over releases of a bundle, despite hash and minified names', () => {
    const message = "TypeError: Cannot read properties of undefined (reading 'price')";
    const one = fingerprintOfStack(`${message}\n    at nn (${bundle}:1:21643)\n    at $f (${bundle}:1:400)`);
    const other = fingerprintOfStack(
      `${message}\n    at Xe (https://shop.example/assets/index-MPBFQIZG.js:1:20114)\n    at a1 (${bundle}:1:9)`,
    );
    expect(one.fingerprint).toBe(other.fingerprint);
    expect(one.grouping).toMatchObject({ rule: 'bundle', components: ['nullish:price'] });
  });

  test('a bundle without names is grouped like a stack that the engine did not report', () => {
    const inBundle = fingerprintOfStack(`TypeError: Failed to fetch\n    at async $f (${bundle}:1:400)`);
    const without = fingerprintOfStack('TypeError: NetworkError when attempting to fetch resource.');
    expect(inBundle.fingerprint).toBe(without.fingerprint);
  });

  test('separates errors in a bundle by the name of a method', () => {
    const [total, render] = ['total', 'render'].map((name) =>
      fingerprintOfStack(`Error: no\n    at e.${name} (${bundle}:1:21643)`),
    );
    expect(total!.fingerprint).not.toBe(render!.fingerprint);
  });

  test('recognizes a bundle without a hash by its long lines, also near their start', () => {
    const file = 'https://shop.example/app.js';
    const { grouping } = fingerprintOfStack(`Error: no\n    at aB (${file}:1:90)\n    at c (${file}:1:95321)`);
    expect(grouping.rule).toBe('bundle');
  });

  test('ignores the URL of a script inside the page, which contains ids', () => {
    const [one, other] = ['4711', '4712'].map((id) =>
      fingerprintOfStack(`Error: no\n    at go (https://shop.example/checkout/${id}:7:3)`, {
        url: `https://shop.example/checkout/${id}?a=1`,
      }),
    );
    expect(one!.fingerprint).toBe(other!.fingerprint);
    expect(one!.culprit).toBe('(page)');
  });

  test('groups thrown objects by their shape and their codes', () => {
    const [stock, again, price] = [
      { code: 'E_STOCK', sku: 'a1b2', left: 0 },
      { sku: 'c3d4', left: 12, code: 'E_STOCK' },
      { code: 'E_PRICE', sku: 'a1b2', left: 0 },
    ].map((thrown) => fingerprintOfStack('', { type: null, message: JSON.stringify(thrown) }).fingerprint);
    expect(stock).toBe(again);
    expect(stock).not.toBe(price);
  });

  test('gives an empty report a group', () => {
    expect(fingerprintOfStack('').grouping).toEqual({ version: 2, rule: 'text', components: [''] });
  });
});

describe('the culprit of a report', () => {
  test.each([
    ['function and file', sourceFrame(), 'Cart.total (src/cart.ts)'],
    ['the file where no name is known', sourceFrame({ function: null }), 'src/cart.ts'],
    ['no name that a minifier made', sourceFrame({ function: 'nn', named: false }), 'src/cart.ts'],
  ])('%s', (_case, frame, culprit) => {
    expect(fingerprintOf({ frames: [sourceFrame({ in_app: false }), frame] }).culprit).toBe(culprit);
  });
});

test('groups scripts that a page made from text, despite their varying URLs', () => {
  const urls = ['9b407002-55fe-43d2-a655-7753bd51d9c9', '0f2c4fd1-3b0a-4c6e-9f7e-2d7b1c9a8e10'];
  const groups = urls.map((id) => fingerprintOfStack(`Error: no\n    at total (blob:https://shop.example/${id}:3:14)`));
  expect(groups[0]!.fingerprint).toBe(groups[1]!.fingerprint);
  expect(groups[0]!.grouping.components).toEqual(['(blob)', 'total', 'Error: no']);
});

test('keeps everything that varies by user or build out of the components', () => {
  const { grouping } = fingerprintOfStack(
    `Error: ann@shop.example could not pay 12.50 EUR for 9b407002-55fe-43d2-a655-7753bd51d9c9\n    at nn (${bundle}:1:21643)`,
  );
  expect(grouping.components).toEqual(['Error: <email> could not pay <n> EUR for <id>']);
});

test('searches malicious source in linear time', async () => {
  const lines = ['`${a} the end ', '`${', '{`${a} is the', '}${b} of all`', '${'].map((piece) => piece.repeat(2_000));
  for (const message of ['x is the end '.repeat(120), '[{"path":[', `[${'{"path":[1]},'.repeat(2_000)}]`]) {
    const steps = await countTextWork(() =>
      fingerprintOf({ type: 'Error', message, frames: [sourceFrame({ code: lines })] }),
    );
    expect(steps / (message.length + lines.join('').length)).toBeLessThan(40);
  }
});

test('reads a malicious message in linear time', async () => {
  const message = `${'a'.repeat(2_000)}@${'b.'.repeat(2_000)} ${'"'.repeat(999)} ${': e is'.repeat(300)} ${"(evaluating '".repeat(200)}`;
  const words = ['A_'.repeat(4_000), `${'a'.repeat(8_000)} 1`, `${'1a-'.repeat(2_500)}é`];
  for (const text of [message, ...words]) {
    const steps = await countTextWork(() => fingerprintOf({ type: 'Error', message: text, frames: [] }));
    expect(steps / text.length).toBeLessThan(100);
  }
});

test('a fingerprint does not depend on earlier reports', async () => {
  const file = 'https://shop.example/checkout/4711';
  const stack = `    at total (${file}:7:3)\n    at go (${bundle}:1:21643)`;
  const cause = { type: 'RangeError', message: 'too many', frames: [] };
  const given = ['TypeError', 'CartError', null].flatMap((type) =>
    ["Cannot read properties of undefined (reading 'price')", 'no cart 4711', 'no cart 12', 'no page 12'].flatMap(
      (message) =>
        [file, `${file}?a=1`, 'https://shop.example/cart', null].flatMap((url) => [
          { type, message, url },
          { type, message, url, causes: [cause] },
        ]),
    ),
  );
  const fresh: Fingerprint[] = [];
  for (const input of given) {
    vi.resetModules();
    fresh.push((await import('./fingerprint-of.ts')).fingerprintOfStack(stack, input));
  }
  // A stack is cached from its second occurrence on.
  for (const index of [...given.keys(), ...given.keys(), ...[...given.keys()].toReversed()]) {
    expect(fingerprintOfStack(stack, given[index]), JSON.stringify(given[index])).toEqual(fresh[index]);
  }
});
