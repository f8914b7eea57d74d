import { describe, expect, test } from 'vitest';
import type { FingerprintInput } from '../../src/fingerprint/fingerprint-input.ts';
import { fingerprintOf, fingerprintOfStack, sourceFrame } from './fingerprint-of.ts';

// These tests use faults of two apps that are in no corpus: the lending desk of a library, and the control of a
// greenhouse.

const base = 'https://shop.example/assets/index-46KHIFEC.js';

function frame(name: string | null, raw: string | null, code: string[], file = 'src/lending.ts') {
  return sourceFrame({
    function: name,
    file,
    code,
    raw: { function: raw, file: base, line: 1, column: 21_643 },
  });
}

function groupings(reports: readonly Partial<FingerprintInput>[]): Set<string> {
  return new Set(reports.map((report) => fingerprintOf(report).fingerprint));
}

describe('a minified class name is not part of the fingerprint', () => {
  const thrown = ['if (!copy)', '  throw new MissingCopyError(`Copy ${id} is not on a shelf`);'];
  const message = 'Copy 4711 is not on a shelf';

  test('reads the class from the line that throws', () => {
    const of = (type: string) => fingerprintOf({ type, message, frames: [frame('Desk.lend', 'lend', thrown)] });
    expect(of('Sl').fingerprint).toBe(of('wl').fingerprint);
    expect(of('Sl').grouping.components.at(-1)).toBe('Copy <value> is not on a shelf');
    expect(of('MissingCopyError').fingerprint).toBe(of('Sl').fingerprint);
  });

  test('reads the class from the frames of its constructor, and uses the frame below as the location', () => {
    const thrower = frame('Valve.open', 'open', ['throw fault(this.id, pressure);'], 'src/valve.ts');
    const constructors = [
      frame('GreenhouseFault', 'kl', ['super(message);'], 'src/faults.ts'),
      frame('PressureFault', 'Qe', ['super(`Valve ${id} is under pressure`);'], 'src/faults.ts'),
    ];
    const firefox = fingerprintOf({
      type: 'Qe',
      message: 'Valve 3 is under pressure',
      frames: [...constructors, thrower],
    });
    expect(firefox.grouping.components).toEqual(['src/valve.ts', 'Valve.open', 'Valve <n> is under pressure']);
  });

  test('groups builds without a map by the message and the names that are not minified', () => {
    const chromium = (type: string, file: string) => `${type}: Copy 4711 is not on a shelf
    at lend (https://shop.example/assets/${file}:1:21643)
    at HTMLButtonElement.<anonymous> (https://shop.example/assets/${file}:1:30112)`;
    const firefox = `kt@https://shop.example/assets/index-9F3kQz71.js:1:1204
lend@https://shop.example/assets/index-9F3kQz71.js:1:21671
@https://shop.example/assets/index-9F3kQz71.js:1:30121`;
    const builds = [
      fingerprintOfStack(chromium('Sl', 'index-46KHIFEC.js')),
      fingerprintOfStack(chromium('wl', 'index-C-84bt9P.js')),
      fingerprintOfStack(firefox, { type: 'kt', message }),
    ];
    expect(new Set(builds.map((each) => each.fingerprint)).size).toBe(1);
  });

  test('ignores the prefix or suffix that a bundler adds to the name of a class', () => {
    const of = (type: string) =>
      fingerprintOf({ type, message, frames: [frame('Desk.lend', 'lend', ['throw missing(id);'])] });
    expect(
      new Set(
        ['MissingCopyError', '_MissingCopyError', 'MissingCopyError$1', 'MissingCopyError2'].map(
          (type) => of(type).fingerprint,
        ),
      ).size,
    ).toBe(1);
  });

  test('separates two classes of errors', () => {
    const lost = frame('Desk.lend', 'lend', ['throw new LostCopyError(id);']);
    const late = frame('Desk.lend', 'lend', ['throw new LateCopyError(id);']);
    expect(groupings([lost, late].map((each) => ({ type: 'Sl', message: '', frames: [each] }))).size).toBe(2);
    expect(fingerprintOf({ type: 'DueError' }).fingerprint).not.toBe(fingerprintOf({ type: 'FeeError' }).fingerprint);
  });
});

describe('the issues of a validation library', () => {
  const parse = frame('readLoan', 'dr', ['const loan = loanSchema.parse(body);']);
  const library = frame('ZodType.parse', 'V.parse', ['throw result.error;'], 'node_modules/zod/lib/index.mjs');
  const issues = (...path: (string | number)[]) =>
    JSON.stringify([{ code: 'invalid_type', expected: 'number', message: 'Expected number', path }]);

  test('have one group, whichever frames the stack has', () => {
    const type = 'ZodError';
    const message = issues('loans', 3, 'due');
    const frames = [[library, { ...parse, in_app: false }], [library, parse], [parse], []];
    expect(groupings(frames.map((each) => ({ type, message, frames: each }))).size).toBe(1);
  });

  test('are grouped by their paths, also if the library writes them as text', () => {
    const sensor = frame('readSensor', 'x', ['return create(raw, Sensor);'], 'src/sensor.ts');
    const texts = [
      'At path: readings.4.humidity -- Expected a number, but received: "wet"',
      'At path: readings.0.humidity -- Expected a number, but received: undefined',
    ];
    for (const frames of [[sensor], []])
      expect(groupings(texts.map((message) => ({ type: 'StructError', message, frames }))).size).toBe(1);
    const { components } = fingerprintOf({ type: 'StructError', message: texts[0] ?? '', frames: [sensor] }).grouping;
    expect(components).toEqual(['<issues> readings.<n>.humidity']);
    const component = (message: string) =>
      fingerprintOf({ type: 'ValidationError', message, frames: [] }).grouping.components[0];
    expect(component("data/beds/0/moisture must be number, data must have required property 'plant'")).toBe(
      '<issues> beds.<n>.moisture',
    );
    expect(component('✖ Invalid input: expected number\n  → at beds[0].moisture')).toBe('<issues> beds.<n>.moisture');
    expect(component('"beds[0].moisture" must be a number')).toBe('<issues> beds.<n>.moisture');
  });

  test('have separate groups for other paths, and for other checks of one value', () => {
    const type = 'ZodError';
    const check = (message: string) => JSON.stringify([{ code: 'custom', message, path: [] }]);
    const messages = [
      issues('loans', 0, 'due'),
      issues('reader', 'due'),
      check('A loan has an end'),
      check('A reader has a card'),
    ];
    expect(groupings(messages.map((message) => ({ type, message, frames: [] }))).size).toBe(4);
  });

  test('are grouped by the location if they have no path', () => {
    const message = issues();
    const other = frame('readReader', 'fr', ['const reader = readerSchema.parse(body);']);
    expect(groupings([parse, other].map((each) => ({ type: 'ZodError', message, frames: [each] }))).size).toBe(2);
  });
});

describe('a fault that each engine words differently', () => {
  test('has one group if undefined is destructured', () => {
    const frames = [frame('Desk.remind', 'r', ['const { reader, due } = loan.copy;'])];
    const messages = [
      "Cannot destructure property 'reader' of 'n.copy' as it is undefined.",
      'n.copy is undefined',
      'Right side of assignment cannot be destructured',
      "Cannot read properties of undefined (reading 'reader')",
      `can't access property "reader", n.copy is undefined`,
    ];
    expect(groupings(messages.map((message) => ({ message, frames }))).size).toBe(1);
  });

  test('has one group if a parameter is destructured over several lines', () => {
    const context = ['export function water({', '  bed,', '  litres,', '}: Order) {'].map((text, index) => ({
      line: 8 + index,
      text,
    }));
    const frames = [sourceFrame({ function: 'water', file: 'src/watering.ts', line: 8, context })];
    const messages = [
      "Cannot destructure property 'bed' of 'undefined' as it is undefined.",
      '(destructured parameter) is undefined',
    ];
    expect(groupings(messages.map((message) => ({ message, frames }))).size).toBe(1);
    expect(fingerprintOf({ message: messages[1] ?? '', frames }).grouping.components.at(-1)).toBe('nullish:bed');
  });

  test('has one group if a frozen object is written to, or undefined is destructured as a list', () => {
    const frozen = [frame('Desk.close', 'c', ['Object.assign(this.settings, changes);'])];
    const writes = [
      'Cannot add property theme, object is not extensible',
      `can't define property "theme": Object is not extensible`,
      'Attempted to assign to readonly property.',
    ];
    expect(groupings(writes.map((message) => ({ message, frames: frozen }))).size).toBe(1);
    const list = [frame('meanOf', 'm', ['const [first] = readings;'], 'src/readings.ts')];
    const reads = [
      'undefined is not iterable (cannot read property Symbol(Symbol.iterator))',
      'e is undefined',
      "undefined is not a function (near '...[t]...')",
    ];
    expect(groupings(reads.map((message) => ({ message, frames: list }))).size).toBe(1);
  });

  test('has separate groups for other properties and functions on the same line', () => {
    const frames = [frame('Desk.remind', 'r', ['send(loan.reader.mail, loan.copy.title, format(loan));'])];
    const messages = [
      "Cannot read properties of undefined (reading 'mail')",
      "Cannot read properties of undefined (reading 'title')",
      'n.format is not a function',
      'Attempted to assign to readonly property.',
    ];
    expect(groupings(messages.map((message) => ({ message, frames }))).size).toBe(4);
  });

  test('has separate groups for two destructured properties', () => {
    const at = (code: string) => [frame('Valve.state', 's', [code], 'src/valve.ts')];
    const message = 'Right side of assignment cannot be destructured';
    expect(
      groupings([
        { message, frames: at('const { pressure } = this.sensor;') },
        { message, frames: at('const { flow } = this.meter;') },
      ]).size,
    ).toBe(2);
  });
});

describe('errors of browsers and of requests', () => {
  test('are grouped by the name of the DOMException if there is no stack', () => {
    const messages = [
      'Fetch is aborted',
      'The operation was aborted. ',
      'signal is aborted without reason',
      'AbortError',
    ];
    expect(groupings(messages.map((message) => ({ type: 'AbortError', message, frames: [] }))).size).toBe(1);
    const blocked = ['play() can only be initiated by a user gesture.', 'The request is not allowed by the user agent'];
    expect(groupings(blocked.map((message) => ({ type: 'NotAllowedError', message, frames: [] }))).size).toBe(1);
    const types = ['AbortError', 'NotAllowedError', 'QuotaExceededError'];
    expect(groupings(types.map((type) => ({ type, message: 'It failed', frames: [] }))).size).toBe(3);
  });

  test('are grouped by the message of the app if there is a stack', () => {
    const frames = [frame('Pump.stop', 's', ['throw new TimeoutError(`${name} still runs`);'], 'src/pump.ts')];
    expect(
      fingerprintOf({ type: 'TimeoutError', message: 'Pump 3 still runs', frames }).grouping.components.at(-1),
    ).toBe('<value> still runs');
  });

  test('have one group for the engine messages of Promise.any, and another for a message of the app', () => {
    const messages = ['All promises were rejected', 'No Promise in Promise.any was resolved', ''];
    const at = [frame('Desk.search', 's', ['return await Promise.any(catalogues);'])];
    for (const frames of [at, []])
      expect(groupings(messages.map((message) => ({ type: 'AggregateError', message, frames }))).size).toBe(1);
    expect(
      groupings(['Two beds are dry', ''].map((message) => ({ type: 'AggregateError', message, frames: at }))).size,
    ).toBe(2);
  });

  test.each([
    ['AxiosError', 'node_modules/axios/lib/core/settle.js', 'settle', 'reject(new AxiosError('],
    ['GaxiosError', 'node_modules/gaxios/build/src/gaxios.js', 'Gaxios._request', 'throw new GaxiosError('],
  ])('keep the status of a failed request, with and without a frame of the library: %s', (type, file, name, code) => {
    const library = sourceFrame({ file, in_app: false, function: name, code: [code] });
    const of = (status: number, frames = [library]) =>
      fingerprintOf({ type, message: `Request failed with status code ${status}`, frames }).fingerprint;
    expect(new Set([of(404), of(500), of(404, []), of(500, [])]).size).toBe(4);
  });
});

describe('values in a message', () => {
  const at = (code: string, ...callers: string[]) => [
    frame('Desk.send', 's', [code]),
    ...callers.map((line) => frame('Desk.run', 'r', [line], 'src/run.ts')),
  ];
  const text = (message: string, frames: ReturnType<typeof at>) =>
    fingerprintOf({ type: 'Error', message, frames }).grouping.components.at(-1);

  test('are kept if their expression names a status, a type or a code', () => {
    const request = at('throw new Error(`Catalogue responded with ${response.status} for ${title}`);');
    expect(text('Catalogue responded with 503 for Solaris', request)).toBe('Catalogue responded with 503 for <value>');
    const event = at('throw new Error(`No handler for event ${event.type} of ${id}`);');
    expect(text('No handler for event frost of bed', event)).toBe('No handler for event frost of <value>');
    const coded = at('throw new Error(`Pump failed with code ${error.code} in ${bed}`);');
    expect(text('Pump failed with code VALVE_STUCK in north', coded)).toBe(
      'Pump failed with code VALVE_STUCK in <value>',
    );
    // A value that does not look like a code is replaced.
    expect(text('Pump failed with code indigo in north', coded)).toBe('Pump failed with code <value> in <value>');
  });

  test('are kept if the caller has them as a name or as a string literal', () => {
    const code = 'throw new Error(`Unknown shelf command ${name} here`);';
    expect(text('Unknown shelf command archive here', at(code, 'commands.archive(copy);'))).toBe(
      'Unknown shelf command archive here',
    );
    expect(text('Unknown shelf command archive here', at(code, 'archived.push(run(input));'))).toBe(
      'Unknown shelf command <value> here',
    );
    expect(text('Unknown shelf command not a word here', at(code, "run('not a word');"))).toBe(
      'Unknown shelf command not a word here',
    );
  });

  test('are removed if they are several words that a user entered', () => {
    const code = 'throw new Error(`No book is called ${title}`);';
    const frames = at(code, 'search(input.value);');
    expect(text('No book is called The Left Hand', frames)).toBe(text('No book is called Roadside Picnic', frames));
  });

  test('are found by format strings and translation texts', () => {
    const code = 'throw new Error(format(text, ...values));';
    const templates = [
      ["fail('Bed %s has no sensor %d', bed, 7);", 'Bed <value> has no sensor <value>'],
      ["fail(t('Bed {bed} has no sensor {0}', { bed }));", 'Bed <value> has no sensor <value>'],
      ['fail("Bed {{bed}} has no sensor %1$s", bed);', 'Bed <value> has no sensor <value>'],
    ] as const;
    for (const [caller, component] of templates)
      expect(text('Bed north has no sensor 7', at(code, caller))).toBe(component);
    // Another text of the same caller.
    expect(text('Bed north is too wet for basil', at(code, "fail('Bed %s is too dry for %s', bed, plant);"))).toBe(
      'Bed north is too wet for basil',
    );
  });
});

describe('throw helpers', () => {
  const callers = ['Desk.lend', 'Desk.renew'].map((name) => frame(name, 'x', ['this.assertOpen(copy);']));
  const places = (helper: ReturnType<typeof frame>, message: string) =>
    groupings(callers.map((caller) => ({ type: 'Error', message, frames: [helper, caller] }))).size;

  test('add their caller to the key if they are guards', () => {
    const thrown = ["throw new Error('The desk is closed');"];
    expect(places(frame('Desk.assertOpen', 'a', thrown), 'The desk is closed')).toBe(2);
    expect(
      places(
        frame('findOrThrow', 'f', ["throw new Error('There is no such bed');"], 'src/beds.ts'),
        'There is no such bed',
      ),
    ).toBe(2);
  });

  test('do not add a caller without a name if they only check and throw', () => {
    const check = ['function lend(copy) {', "  if (copy.isLost) throw new Error('This copy was lost');", '}'];
    const helper = sourceFrame({ function: 'lend', file: 'src/lending.ts', line: 21, code: check });
    const at = { ...helper, line: 20 };
    const nameless = ['src/desk.ts', 'src/app.ts'].map((file) => frame(null, 'x', ['lend(copy);'], file));
    const of = (caller: ReturnType<typeof frame>) =>
      fingerprintOf({ type: 'Error', message: 'This copy was lost', frames: [at, caller] }).fingerprint;
    expect(new Set(nameless.map(of)).size).toBe(1);
    expect(of(frame('returnAll', 'r', ['lend(copy);']))).not.toBe(of(frame('lendAll', 'l', ['lend(copy);'])));
  });

  test('do not include a function in which the engine threw the error, even near a throw statement', () => {
    const code = ["if (!bed) throw new Error('There is no such bed');", 'show(bed.soil.moisture);'];
    const reader = frame('readBed', 'b', code, 'src/beds.ts');
    const of = (caller: string) => ({
      message: "Cannot read properties of undefined (reading 'moisture')",
      frames: [reader, frame(caller, 'x', ['readBed(bed);'])],
    });
    expect(groupings(['water', 'inspect'].map(of)).size).toBe(1);
  });

  test('add their caller if a decorator made them, or if they are setters from Object.defineProperty', () => {
    const decorator = [
      'descriptor.value = function (...args) {',
      "  if (!this.user) throw new Error('Sign in first, please');",
    ];
    const wrapper = frame('descriptor.value', 'value', [...decorator], 'src/signed-in.ts');
    const calling = {
      ...wrapper,
      context: [...wrapper.context, { line: 21, text: '  return method.apply(this, args);' }],
    };
    expect(places(calling, 'Sign in first, please')).toBe(2);
    const setter = [
      'Object.defineProperty(target, name, {',
      '  set(value) {',
      "    if (value < low) throw new RangeError('The valve opens too little');",
    ];
    expect(places(frame('set', 'set', setter, 'src/valve.ts'), 'The valve opens too little')).toBe(2);
  });

  test('add their caller if they trap access, or wrap methods', () => {
    const trap = ['  get(target, key) {', "    if (!(key in target)) throw new Error('This setting does not exist');"];
    expect(places(frame('settings.get', 'get', trap), 'This setting does not exist')).toBe(2);
    const decorator = [
      "  if (!this.user) throw new Error('Sign in first, please');",
      '  return method.apply(this, args);',
    ];
    expect(places(frame('signedIn.<anonymous>', null, decorator, 'src/signed-in.ts'), 'Sign in first, please')).toBe(2);
  });

  test('add their caller if they only check and throw', () => {
    const lines = [
      'export function dry(bed: Bed) {',
      '  if (bed.moisture < 5) {',
      "    throw new Error('The bed is dry');",
      '  }',
      '}',
    ];
    const context = lines.map((text, index) => ({ line: 10 + index, text }));
    const helper = sourceFrame({ function: 'dry', file: 'src/beds.ts', line: 12, context });
    expect(places(helper, 'The bed is dry')).toBe(2);
    const busy = context.with(1, { line: 11, text: '  const moisture = await read(bed.sensor);' });
    expect(places({ ...helper, context: busy }, 'The bed is dry')).toBe(1);
  });

  test.each(['dry(bed', '[wet', 'dry\\', '*', '$dry?'])('match the name of a function literally: %s', (name) => {
    const lines = [
      `  '${name}'(bed) {`,
      '    if (bed.moisture < 5)',
      "      throw new Error('The bed is dry');",
      '  }',
    ];
    // A quoted name is not recognized as a declaration. The unquoted one is not valid JavaScript, but shows that the
    // pattern escapes the name.
    const plain = lines.with(0, `  ${name}(bed) {`);
    const of = (code: string[]) =>
      sourceFrame({
        function: name,
        file: 'src/beds.ts',
        line: 12,
        context: code.map((text, index) => ({ line: 10 + index, text })),
      });
    expect(places(of(lines), 'The bed is dry')).toBe(1);
    expect(places(of(plain), 'The bed is dry')).toBe(2);
  });

  test('do not add their caller if the message contains words that a caller passed', () => {
    const helper = frame('must', 'm', ['throw new Error(`Nothing is selected: ${what}`);'], 'src/must.ts');
    expect(places(helper, 'Nothing is selected: a shelf')).toBe(1);
    expect(
      groupings(
        ['a shelf', 'a reader'].map((what) => ({
          type: 'Error',
          message: `Nothing is selected: ${what}`,
          frames: [helper],
        })),
      ).size,
    ).toBe(2);
  });

  test('do not include other functions that throw', () => {
    const thrown = ["throw new Error('The card has expired');"];
    expect(places(frame('Desk.checkCard', 'c', thrown), 'The card has expired')).toBe(1);
    expect(places(frame('Reader.set', 'set', thrown), 'The card has expired')).toBe(1);
  });
});

describe('the class of an error', () => {
  test('is ignored if the message has words, so that it can be renamed', () => {
    const of = (name: string) => ({
      type: name,
      message: 'The loan 17 is overdue',
      frames: [frame('Desk.remind', 'r', [`throw new ${name}(\`The loan \${id} is overdue\`);`])],
    });
    expect(groupings(['LoanError', 'OverdueError', 'Qe'].map(of)).size).toBe(1);
  });

  test('is part of the fingerprint if the message has no words, or if there is no source', () => {
    const thrower = frame('Vent.open', 'o', ['throw new VentError(id);'], 'src/vent.ts');
    const of = (type: string) => fingerprintOf({ type, message: '7', frames: [thrower] }).fingerprint;
    expect(of('VentError')).not.toBe(of('PumpError'));
    const traces = ['VentError', 'PumpError'].map((type) =>
      fingerprintOfStack(`${type}: The flap is stuck\n    at open (${base}:1:21643)`),
    );
    expect(new Set(traces.map((each) => each.fingerprint)).size).toBe(2);
  });
});

describe('a message in the language of the user', () => {
  test('is grouped by its translation key on the line that throws', () => {
    const code = ["throw new LoanError(t('loans.too-many', { name }));"];
    const of = (message: string) => ({ type: 'LoanError', message, frames: [frame('Desk.lend', 'l', code)] });
    const both = groupings(['Ada has borrowed too much', 'Ada hat zu viel ausgeliehen'].map(of));
    expect(both.size).toBe(1);
    expect(fingerprintOf(of('Ada hat zu viel ausgeliehen')).grouping.components.at(-1)).toBe('loans.too-many');
    const other = [frame('Desk.lend', 'l', ["throw new LoanError(t('loans.blocked', { name }));"])];
    expect(both).not.toContain(fingerprintOf({ ...of('Ada has borrowed too much'), frames: other }).fingerprint);
  });

  test('is grouped by the translation key that the caller passes', () => {
    const helper = frame('stop', 's', ['throw new Error(translate(key, values));'], 'src/stop.ts');
    const at = (key: string) => {
      return { ...frame('Pump.start', 'p', [`stop('${key}');`], 'src/pump.ts'), column: 1 };
    };
    const of = (message: string, key: string) =>
      fingerprintOf({ type: 'Error', message, frames: [helper, at(key)] }).fingerprint;
    expect(of('The tank is empty', 'TANK_EMPTY')).toBe(of('Der Tank ist leer', 'TANK_EMPTY'));
    expect(of('The tank is empty', 'TANK_EMPTY')).not.toBe(of('The tank is empty', 'TANK_FULL'));
  });
});

describe('a message of a validation library without a path', () => {
  test.each([
    ['Invalid type: Expected string but received 7', 'Invalid type: Expected string but received "a b"', true],
    ['Invalid email: Received "ada"', 'Invalid email: Received 12', true],
    ['Invalid type: Expected string but received 7', 'Invalid type: Expected number but received "7"', false],
    ['Invalid email: Received "ada"', 'Invalid url: Received "ada"', false],
  ])('is grouped by what was expected: %s, %s', (one, other, isSame) => {
    const library = sourceFrame({ file: 'node_modules/valibot/dist/index.mjs', function: 'parse', in_app: false });
    const of = (message: string) =>
      fingerprintOf({ type: 'ValiError', message, frames: [library, frame('readBed', 'b', ['parse(Bed, input);'])] });
    expect(of(one).fingerprint === of(other).fingerprint).toBe(isSame);
  });
});

test('callers below an awaiting function are ignored, because engines report them differently', () => {
  const helper = frame('requireBed', 'r', ["throw new Error('There is no such bed');"], 'src/beds.ts');
  const waiting = frame('load', 'l', ['await requireBed(id);']);
  const asynchronous = { ...waiting, raw: { ...waiting.raw, async: true as const } };
  const below = frame('start', 's', ['void load();']);
  const of = (frames: ReturnType<typeof frame>[]) => ({ type: 'Error', message: 'There is no such bed', frames });
  expect(groupings([of([helper, asynchronous]), of([helper, asynchronous, below]), of([helper])]).size).toBe(1);
});

test('a name that begins with two underscores, as in frameworks, is ignored in a bundle', () => {
  const message = "TypeError: Cannot read properties of undefined (reading 'moisture')";
  const trace = (caller: string) => `${message}\n    at nn (${base}:1:21643)\n    at ${caller} (${base}:1:400)`;
  const of = (caller: string) => fingerprintOfStack(trace(caller)).fingerprint;
  expect(of('HTMLButtonElement.__click')).toBe(of('HTMLButtonElement.<anonymous>'));
  expect(of('e.__update')).toBe(of('xe'));
  expect(of('e.water')).not.toBe(of('xe'));
});
