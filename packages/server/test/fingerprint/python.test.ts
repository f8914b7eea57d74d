import { describe, expect, test } from 'vitest';
import type { Fingerprint } from '../../src/fingerprint/fingerprint.ts';
import { fingerprintOfStack } from './fingerprint-of.ts';

/** Returns a traceback of these lines (`file:line function | code`), outermost first, as in Python. */
function traceback(error: string, ...lines: string[]): string {
  const frames = lines.map((line) => {
    const [, file, at, name, code] = /^(.+):(\d+) ([^|]+?)(?: \| (.+))?$/.exec(line)!;
    return `  File "${file}", line ${at}, in ${name}\n${code === undefined ? '' : `    ${code}\n`}`;
  });
  return `Traceback (most recent call last):\n${frames.join('')}${error}\n`;
}

const main = '/srv/shop/main.py:7 <module> | main()';
const total = '/srv/shop/cart.py:42 total';
const library = '/srv/venv/lib/python3.12/site-packages/requests/adapters.py:501 send | raise ReadTimeout(e)';
const cause = '\nThe above exception was the direct cause of the following exception:\n\n';
const context = '\nDuring handling of the above exception, another exception occurred:\n\n';

/** Returns the text component of an error that occurred in `total` at this code. */
function textAt(code: string, error: string, caller = main): string {
  return fingerprintOfStack(traceback(error, caller, `${total} | ${code}`)).grouping.components.at(-1)!;
}

function fingerprints(groups: readonly Fingerprint[]): string[] {
  return [...new Set(groups.map(({ fingerprint }) => fingerprint))];
}

describe('the location in the fingerprint of a Python error', () => {
  test('is the file and the function of the app', () => {
    const { grouping, culprit } = fingerprintOfStack(traceback("KeyError: 'ann'", main, total));
    expect(grouping).toMatchObject({ rule: 'file', components: ['srv/shop/cart.py', 'total', 'KeyError: <text>'] });
    expect(culprit).toBe('total (srv/shop/cart.py)');
  });

  test('does not depend on lines and values', () => {
    const moved = traceback("KeyError: 'bob'", '/srv/shop/main.py:9 <module> | main()', '/srv/shop/cart.py:50 total');
    expect(fingerprintOfStack(moved).fingerprint).toBe(
      fingerprintOfStack(traceback("KeyError: 'ann'", main, total)).fingerprint,
    );
  });

  test.each([
    ['/srv/shop/current/shop/cart.py', 'shop/cart.py'],
    ['/srv/shop/releases/20261103-1412/shop/cart.py', 'shop/cart.py'],
    ['/srv/shop/releases/v3/shop/cart.py', 'shop/cart.py'],
    ['C:\\sites\\shop\\current\\shop\\cart.py', 'shop/cart.py'],
    ['/srv/shop/cart.py', 'srv/shop/cart.py'],
  ])('does not depend on the folder of a deployment: %s', (file, expected) => {
    const { grouping } = fingerprintOfStack(traceback('ValueError: no', main, `${file}:3 total`));
    expect(grouping.components[0]).toBe(expected);
  });

  test('is the function of the app that called a library, whatever the interpreter', () => {
    const groups = ['/usr/lib/python3.13/json/decoder.py', '/usr/lib/pypy3.9/json/decoder.py'].map((file) =>
      fingerprintOfStack(
        traceback('json.decoder.JSONDecodeError: x', main, `${total} | json.loads(a)`, `${file}:3 raw_decode`),
      ),
    );
    expect(groups[0]!.grouping.components).toEqual(['srv/shop/cart.py', 'total', 'JSONDecodeError']);
    expect(fingerprints(groups)).toHaveLength(1);
  });

  test('is in the library, without its folder and version, if the stack has no frame of the app', () => {
    const files = ['/usr/lib/python3.9/threading.py', '/home/a/.pyenv/versions/3.13.0/lib/python3.13/threading.py'];
    const groups = files.map((file) => fingerprintOfStack(traceback('RuntimeError: no', `${file}:980 run`)));
    expect(groups[0]!.grouping).toMatchObject({
      rule: 'library',
      components: ['threading.py:run', 'RuntimeError: no'],
    });
    expect(fingerprints(groups)).toHaveLength(1);
  });

  test('distinguishes functions with short names', () => {
    const names = ['total', 'f', 'g', 'add', 'b64'];
    const groups = names.map((name) =>
      fingerprintOfStack(traceback('ValueError: no', main, `/srv/shop/cart.py:42 ${name}`)),
    );
    expect(fingerprints(groups)).toHaveLength(names.length);
  });

  test('of a comprehension is its enclosing function, in every version of Python', () => {
    const older = traceback('ValueError: no', main, total, '/srv/shop/cart.py:42 <listcomp>');
    expect(fingerprintOfStack(older).fingerprint).toBe(
      fingerprintOfStack(traceback('ValueError: no', main, total)).fingerprint,
    );
  });

  test('of a lambda contains the code before it, so that two lambdas of a file differ', () => {
    const components = ['"mail": lambda row: row["to"]', '"bill": lambda row: row["sum"],'].map(
      (code) =>
        fingerprintOfStack(traceback('TypeError: no', main, `/srv/shop/cart.py:42 <lambda> | ${code}`)).grouping
          .components,
    );
    expect(components.map(([, name]) => name)).toEqual(['<lambda> "mail":', '<lambda> "bill":']);
  });

  test('of a recursion contains all its functions, whichever of them hits the limit', () => {
    const error = 'RecursionError: maximum recursion depth exceeded';
    const [even, odd] = ['/srv/shop/a.py:1 even', '/srv/shop/b.py:2 odd'];
    const calls = (first: string, second: string): string[] => Array.from({ length: 20 }, () => [first, second]).flat();
    const groups = [
      fingerprintOfStack(traceback(error, main, ...calls(even, odd))),
      fingerprintOfStack(traceback(`${error} while calling a Python object`, main, ...calls(odd, even))),
    ];
    expect(groups[0]!.grouping).toMatchObject({
      rule: 'recursion',
      components: ['srv/shop/a.py', 'even', 'odd', 'stack-overflow'],
    });
    expect(fingerprints(groups)).toHaveLength(1);
  });

  test('contains the caller of a helper that only checks and raises', () => {
    const raised = '/srv/shop/checks.py:3 require_value | raise ValueError("a value is missing")';
    const groups = ['order', 'customer'].map((name) =>
      fingerprintOfStack(
        traceback('ValueError: a value is missing', main, `/srv/shop/a.py:1 ${name} | require_value(x)`, raised),
      ),
    );
    expect(groups[0]!.grouping.components).toContain('order');
    expect(fingerprints(groups)).toHaveLength(2);
  });
});

describe('the text in the fingerprint of an error that the app raises', () => {
  test.each([
    ['raise CartError(f"no {name} in {cart!r}")', 'shop.CartError: no tea in 7', 'CartError: no <value> in <value>'],
    [
      'raise CartError("no %s in %d carts" % (a, b))',
      'CartError: no tea in 7 carts',
      'CartError: no <value> in <value> carts',
    ],
    ['raise CartError("no {} left".format(name))', 'CartError: no green tea left', 'CartError: no <value> left'],
    [
      'raise CartError("patient " + str(a) + " is unknown")',
      'CartError: patient 7 is unknown',
      'CartError: patient <value> is unknown',
    ],
    [
      'raise CartError("a {{brace}} for {}".format(a))',
      'CartError: a {brace} for tea',
      'CartError: a {brace} for <value>',
    ],
    ['raise KeyError("no such cart")', "KeyError: 'no such cart'", 'KeyError: <value>no such cart<value>'],
    ['assert left > 0, f"{name} is sold"', 'AssertionError: tea is sold', 'AssertionError: <value> is sold'],
    ['assert left > 0', 'AssertionError', 'AssertionError'],
    ['raise NotImplementedError', 'NotImplementedError', 'NotImplementedError'],
  ])('contains the literals of %j', (code, error, expected) => {
    expect(textAt(code, error)).toBe(expected);
  });

  test('is only the class if the class composes the message', () => {
    expect(textAt('raise OutOfStock(name, 3)', 'shop.OutOfStock: only 3 of tea left')).toBe('OutOfStock');
  });

  test('contains the string literal that a caller passed as the message', () => {
    const caller = '/srv/shop/a.py:1 confirm | check(order.get("address"), "the address is missing")';
    const text = textAt('raise CheckFailed(message)', 'shop.CheckFailed: the address is missing', caller);
    expect(text).toBe('CheckFailed: the address is missing');
  });

  test('keeps a value that the caller passes as a string literal', () => {
    const caller = '/srv/shop/a.py:1 confirm | one_of(rows, "invoice")';
    const text = textAt('raise CheckFailed(f"expected one {what}")', 'CheckFailed: expected one invoice', caller);
    expect(text).toBe('CheckFailed: expected one invoice');
  });

  test('is a template of the message if neither the source nor a caller has its literals', () => {
    expect(textAt('raise ValueError(message)', 'ValueError: row 7 is bad')).toBe('ValueError: row <n> is bad');
  });
});

describe('the text in the fingerprint of an error that the interpreter raises', () => {
  test.each([
    [
      'put()',
      'basket.put(tea)',
      ["put() missing 1 required positional argument: 'n'", "Basket.put() missing 1 required positional argument: 'n'"],
    ],
    [
      'a local variable',
      'return rate * 2',
      [
        "local variable 'rate' referenced before assignment",
        "cannot access local variable 'rate' where it is not associated with a value",
      ],
    ],
    [
      'a setter',
      'self.label = 1',
      ["can't set attribute", "can't set attribute 'label'", "property 'label' of 'Tea' object has no setter"],
    ],
    [
      'an abstract class',
      'Pigeon()',
      [
        "Can't instantiate abstract class Pigeon with abstract method fly",
        "Can't instantiate abstract class Pigeon without an implementation for abstract method 'fly'",
      ],
    ],
    [
      'a hint',
      'tea.prise',
      ["'Tea' object has no attribute 'prise'", "'Tea' object has no attribute 'prise'. Did you mean: 'price'?"],
    ],
    [
      'PyPy with a key',
      'user["address"]["city"]',
      ["'NoneType' object is not subscriptable", "'NoneType' object is not subscriptable (key 'address')"],
    ],
    ['a slot', 'self.size - self._load', ['_load', "'Van' object has no attribute '_load'"]],
    [
      'a type in a module',
      'return timedelta(1) + start',
      [
        "unsupported operand type(s) for +: 'datetime.timedelta' and 'int'",
        "unsupported operand type(s) for +: 'timedelta' and 'int'",
      ],
    ],
    ['PyPy', 'row[0]', ["'NoneType' object is not subscriptable", "'NoneType' object is not subscriptable (key 0)"]],
  ])('is the same for all versions of the interpreter: %s', (_what, code, messages) => {
    expect(new Set(messages.map((message) => textAt(code, `TypeError: ${message}`))).size).toBe(1);
  });

  test.each([
    [
      're.compile(a)',
      ['re.error: missing )', 're.PatternError: missing )', 'sre_constants.error: missing )'],
      'PatternError',
    ],
    ['peer.recv(1)', ['socket.timeout: timed out', 'TimeoutError: timed out'], 'TimeoutError'],
    [
      'await job',
      ['asyncio.exceptions.TimeoutError', 'concurrent.futures._base.TimeoutError', 'TimeoutError'],
      'TimeoutError',
    ],
    [
      'db.execute(a)',
      ['sqlite3.InterfaceError: Error binding parameter 0', 'sqlite3.ProgrammingError: Error binding parameter 1'],
      'ProgrammingError',
    ],
    ['jobs.get()', ['_queue.Empty', 'queue.Empty'], 'Empty'],
    ['struct.unpack(a, b)', ['struct.error: short', '_struct.error: short'], 'struct.error'],
  ])('contains the name that current versions give to the class: %s', (code, errors, expected) => {
    expect(new Set(errors.map((error) => textAt(code, error)))).toEqual(new Set([expected]));
  });

  test('contains the missing key only if the source has it as a string literal', () => {
    const code = 'return row["price"] + row["shipping"]';
    expect(textAt(code, "KeyError: 'price'")).toBe('KeyError: price');
    expect(textAt(code, "KeyError: 'shipping'")).toBe('KeyError: shipping');
    expect(textAt('return row[price]', "KeyError: 'price'")).toBe('KeyError');
    const caller = '/srv/shop/a.py:1 show | lookup(row, "price")';
    expect(textAt('return row[key]', "KeyError: 'price'", caller)).toBe('KeyError: price');
  });

  test('contains the missing key of an attribute lookup only if the caller accesses that attribute', () => {
    const lookUp = (name: string, caller: string): string =>
      fingerprintOfStack(
        traceback(
          `KeyError: '${name}'`,
          `/srv/shop/a.py:1 show | ${caller}`,
          '/srv/shop/settings.py:9 __get__ | return instance.values[self.name]',
        ),
      ).grouping.components.at(-1)!;
    expect(lookUp('region', 'return settings.region')).toBe('KeyError: region');
    expect(lookUp('drivers', 'return len(settings.drivers)')).toBe('KeyError: drivers');
    expect(lookUp('tea', 'return settings.stock')).toBe('KeyError');
  });

  test('contains the kind of fault if the source has no name for it', () => {
    expect(textAt('a, b = pair', 'ValueError: too many values to unpack (expected 2)')).toBe(
      'ValueError: too many values',
    );
    expect(textAt('a, b = pair', 'ValueError: not enough values to unpack (expected 2, got 1)')).toBe(
      'ValueError: not enough values',
    );
  });

  test('contains the message of a database', () => {
    const text = textAt('db.execute(a)', 'sqlite3.IntegrityError: UNIQUE constraint failed: product.sku');
    expect(text).toBe('IntegrityError: UNIQUE constraint failed: product.sku');
  });

  test('does not use the literals of another error that the same line raises', () => {
    const text = textAt('raise CartError(f"no {cart.nmae}")', "AttributeError: 'Cart' object has no attribute 'nmae'");
    expect(text).toBe('AttributeError: nmae');
  });

  test('contains the attribute in the message if there is no source', () => {
    const texts = ['name', 'price'].map((name) =>
      fingerprintOfStack(traceback(`AttributeError: 'NoneType' object has no attribute '${name}'`, main, total)),
    );
    expect(texts.map(({ grouping }) => grouping.components.at(-1))).toEqual([
      'AttributeError: name',
      'AttributeError: price',
    ]);
  });

  test('names the class and the library if a library raises the error', () => {
    const { grouping, culprit } = fingerprintOfStack(
      traceback('requests.exceptions.Timeout: 3 s', main, total, library),
    );
    expect(grouping.components).toEqual(['srv/shop/cart.py', 'total', 'Timeout in requests']);
    expect(culprit).toBe('total (srv/shop/cart.py)');
  });
});

describe('the cause of a Python error', () => {
  const raised = '/srv/shop/api.py:3 show | raise CartError("no cart") from error';

  test('gives the fingerprint its text, and the last error gives the location', () => {
    const chained = `${traceback('KeyError: 1', `${total} | rows[n]`)}${cause}${traceback('CartError: no cart', main, raised)}`;
    expect(fingerprintOfStack(chained).grouping.components).toEqual(['srv/shop/api.py', 'show', 'KeyError in total']);
  });

  test('is ignored if it was only being handled when the last error was raised', () => {
    const chained = `${traceback('KeyError: 1', total)}${context}${traceback('CartError: no cart', main, '/srv/shop/api.py:3 show | raise CartError("no cart")')}`;
    expect(fingerprintOfStack(chained).grouping.components).toEqual(['srv/shop/api.py', 'show', 'CartError: no cart']);
  });

  test('is ignored if a library raised the last error from it', () => {
    const wrapped = traceback(
      'TimeoutError',
      main,
      `${total} | wait(job)`,
      '/usr/lib/python3.11/asyncio/tasks.py:502 wait_for',
    );
    const chained = `${traceback('asyncio.exceptions.CancelledError', total)}${cause}${wrapped}`;
    expect(fingerprintOfStack(chained).grouping.components).toEqual(['srv/shop/cart.py', 'total', 'TimeoutError']);
  });

  test('is one member of an exception group, whatever the number of members', () => {
    const member = (error: string): string =>
      `    | ${traceback(error, `${total} | int(a)`).trimEnd().replaceAll('\n', '\n    | ')}`;
    const group = (members: string[]): string =>
      [
        '  + Exception Group Traceback (most recent call last):',
        '  |   File "/srv/shop/api.py", line 7, in run',
        '  |     raise ExceptionGroup("all failed", errors)',
        `  | ExceptionGroup: all failed (${members.length} sub-exceptions)`,
        ...members.map((text, index) => `  +-+---------------- ${index + 1} ----------------\n${text}`),
        '    +------------------------------------',
      ].join('\n');
    const groups = [group([member('KeyError: 1')]), group([member('ValueError: x'), member('KeyError: 2')])].map(
      (text) => fingerprintOfStack(text),
    );
    expect(groups[0]!.grouping.components).toEqual(['srv/shop/api.py', 'run', 'KeyError in total']);
    expect(fingerprints(groups)).toHaveLength(1);
  });
});
