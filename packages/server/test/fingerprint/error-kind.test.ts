import { describe, expect, test } from 'vitest';
import { errorKind, lastProperty } from '../../src/fingerprint/error-kind.ts';

// One row a fault: its kind and name, then Chromium's, Firefox's and Safari's words for it, of new and old versions.
const faults: [kind: string, name: string | null, ...sentences: string[]][] = [
  [
    'nullish',
    'price',
    "Cannot read properties of undefined (reading 'price')",
    "Cannot set properties of null (setting 'price')",
    "Cannot read property 'price' of undefined",
    'can\'t access property "price", e.product is undefined',
    'can\'t access property "price" of undefined',
    "undefined is not an object (evaluating 'e.product.price')",
    "null is not an object (evaluating 'r().product.price = 3')",
  ],
  [
    'nullish',
    '0',
    "Cannot read properties of undefined (reading '0')",
    "can't access property 0, t.terms is undefined",
    "undefined is not an object (evaluating 't.terms[0]')",
  ],
  [
    'nullish:destructure',
    null,
    "Cannot destructure property 'lanes' of 'e.layout' as it is undefined.",
    'e.layout is undefined',
    'Right side of assignment cannot be destructured',
  ],
  [
    'not-a-function',
    'map',
    'e.map is not a function',
    "e.map is not a function. (In 'e.map(t=>t.id)', 'e.map' is undefined)",
    '(intermediate value).map is not a function',
  ],
  [
    'not-a-constructor',
    'Widget',
    'ui.Widget is not a constructor',
    "ui.Widget is not a constructor (evaluating 'new ui.Widget')",
  ],
  ['not-defined', 'taxTable', 'taxTable is not defined', "Can't find variable: taxTable"],
  [
    'not-iterable',
    null,
    'n.tags is not iterable',
    'undefined is not iterable (cannot read property Symbol(Symbol.iterator))',
    "can't access property Symbol.iterator, n.tags is undefined",
    'Spread syntax requires ...iterable not be null or undefined',
    "undefined is not a function (near '...[a, b]...')",
  ],
  [
    'class-without-new',
    null,
    "Class constructor o cannot be invoked without 'new'",
    "class constructors must be invoked with 'new'",
    'Cannot call a class constructor without |new|',
  ],
  [
    'before-initialization',
    null,
    "Cannot access 'a' before initialization",
    "can't access lexical declaration 'a' before initialization",
    'Cannot access uninitialized variable.',
  ],
  [
    'read-only',
    null,
    "Cannot assign to read only property 'a' of object '#<Object>'",
    '"a" is read-only',
    'Attempted to assign to readonly property.',
    'Assignment to constant variable.',
  ],
  [
    'not-extensible',
    null,
    'Cannot add property a, object is not extensible',
    'can\'t define property "a": Object is not extensible',
    'Attempting to define property on object that is not extensible.',
  ],
  [
    'in-operator',
    null,
    "Cannot use 'in' operator to search for 'a' in maple",
    'cannot use \'in\' operator to search for "a" in "maple"',
    "e is not an Object. (evaluating 'n in e')",
  ],
  [
    'stack-overflow',
    null,
    'Maximum call stack size exceeded',
    'too much recursion',
    'Maximum call stack size exceeded.',
  ],
  [
    'json-syntax',
    null,
    'Unexpected token \'<\', "<!DOCTYPE "... is not valid JSON',
    'Unexpected token < in JSON at position 0',
    'Unexpected end of JSON input',
    'JSON.parse: unexpected character at line 1 column 1 of the JSON data',
    'JSON Parse error: Unexpected EOF',
  ],
  [
    'fetch-failed',
    null,
    'Failed to fetch',
    'NetworkError when attempting to fetch resource.',
    'Load failed',
    'fetch failed',
  ],
  [
    'aborted',
    null,
    'signal is aborted without reason',
    'The operation was aborted. ',
    'Fetch is aborted',
    'The user aborted a request.',
  ],
  ['timed-out', null, 'signal timed out', 'The operation timed out.', 'The operation was aborted due to timeout'],
  [
    'json-bigint',
    null,
    'Do not know how to serialize a BigInt',
    "BigInt value can't be serialized in JSON",
    'JSON.stringify cannot serialize BigInt.',
  ],
  [
    'json-cycle',
    null,
    'Converting circular structure to JSON\n    --> starting at object',
    'cyclic object value',
    'JSON.stringify cannot serialize cyclic structures.',
  ],
  [
    'invalid-date',
    null,
    'Invalid time value',
    'invalid date',
    'Invalid Date',
    'date value is not finite in DateTimeFormat.formatRange()',
    'Passed date is out of range',
  ],
  [
    'chunk-load-failed',
    null,
    'Failed to fetch dynamically imported module: https://a/b.js',
    'error loading dynamically imported module: https://a/b.js',
    'Importing a module script failed.',
    'Loading chunk 543 failed.\n(error: https://a/543.js)',
    'Unable to preload CSS for /assets/a.css',
  ],
];

describe.each(faults)('%s %s', (kind, name, ...sentences) => {
  test.each(sentences)('%s', (sentence) => {
    expect(errorKind(sentence)).toMatchObject({ kind, name });
  });
});

test.each([
  'Could not load order 7',
  'Payment failed',
  'Expected a function, got undefined.',
  'the index of "a" is undefined here',
  '',
])('the words of an app are no kind: %s', (message) => expect(errorKind(message)).toBeNull());

test.each([
  ['a.b.c', 'c'],
  ['a', 'a'],
  // Minifiers rename what is private.
  ['this.#total', null],
  ['a.b = 3', 'b'],
  ['rows[0]', '0'],
  ['rows["id"]', 'id'],
  ['rows[i]', null],
  ['f()', null],
])('%s is about %s', (expression, name) => expect(lastProperty(expression)).toBe(name));
