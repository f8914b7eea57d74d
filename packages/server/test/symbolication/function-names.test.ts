import { describe, expect, test } from 'vitest';
import { randomBelow } from '../../../../test/test-utils/seeded-random.mjs';
import { functionAt } from '../../src/symbolication/functions/function-table.ts';
import { readFunctions } from '../../src/symbolication/functions/read-functions.ts';
import { sourceKind } from '../../src/symbolication/functions/source-kind.ts';

/** Returns the name of the function that contains the mark `¦`, or undefined if functions are unknown. */
async function nameAtMark(marked: string, file = 'src/cart.tsx'): Promise<string | null | undefined> {
  const kind = sourceKind(file);
  const packed = kind && (await readFunctions(marked.replace('¦', ''), kind));
  if (!packed) return undefined;
  const before = marked.slice(0, marked.indexOf('¦')).split(/\r\n|[\n\r\u2028\u2029]/);
  return functionAt(packed, before.length, before.at(-1)!.length);
}

describe('a function is named after', () => {
  test.each([
    ['its own name', 'function total() { ¦ }', 'total'],
    ['its own name, whatever it is assigned to', 'const a = function total() { ¦ }', 'total'],
    ['the variable', 'const total = () => ¦sum', 'total'],
    ['the variable, through types', 'const total = ((a: A) => { ¦ }) satisfies Total as Total', 'total'],
    ['the variable, as a default', 'const { total = () => { ¦ } } = shop', 'total'],
    ['the variable, as one of two', 'const total = fast ? () => { ¦ } : slow', 'total'],
    ['the property', 'cart.total = async () => { ¦ }', 'cart.total'],
    ['the property of an object', 'const cart = { total: () => { ¦ } }', 'cart.total'],
    ['the property of objects within objects', 'const shop = { cart: { total() { ¦ } } }', 'shop.cart.total'],
    ['the property in quotes', "const routes = { '/cart': () => { ¦ } }", 'routes./cart'],
    [
      'the property in quotes, also half a surrogate pair',
      "const routes = { '\\ud83d': () => { ¦ } }",
      'routes.\ufffd',
    ],
    ['the property of an object for a call', 'app.use({ install() { ¦ } })', 'install'],
    ['the prototype', 'Cart.prototype.total = function () { ¦ }', 'Cart.total'],
    ['the export of CommonJS', 'exports.total = function () { ¦ }', 'total'],
    ['the module of CommonJS', 'module.exports = function () { ¦ }', 'default'],
    ['the method', 'class Cart { total() { ¦ } }', 'Cart.total'],
    ['the getter', 'class Cart { get total() { ¦ } }', 'Cart.total'],
    ['the static method', 'class Cart { static async *of() { ¦ } }', 'Cart.of'],
    ['the private method', 'class Cart { #total() { ¦ } }', 'Cart.#total'],
    ['the private method with types', 'class Cart<T> { private total<U>(this: Cart<T>): U { ¦ } }', 'Cart.total'],
    ['the field', 'class Cart { total = () => { ¦ } }', 'Cart.total'],
    ['the field in a constructor', 'class Cart { constructor() { this.total = () => { ¦ } } }', 'Cart.total'],
    ['the well-known symbol', 'class Cart { *[Symbol.iterator]() { ¦ } }', 'Cart.[Symbol.iterator]'],
    ['the variable of a class', 'const Cart = class { total() { ¦ } }', 'Cart.total'],
    ['the variable in a namespace', 'namespace Shop.Cart { export const total = () => { ¦ } }', 'total'],
    ['the accessor of a decorated class', '@sealed() class Cart { @get() accessor total = () => { ¦ } }', 'Cart.total'],
    ['the attribute', 'const Cart = () => <a onClick={() => { ¦ }} />', 'onClick'],
    ['the variable, through a call', 'export const Cart = memo(forwardRef((props) => { ¦ }))', 'Cart'],
    ['the variable, through a call by a library', 'const save = React.useCallback(() => { ¦ }, [])', 'save'],
    [
      'the variable in a component, through a hook',
      'const Cart = () => { const save = useCallback(() => { ¦ }) }',
      'save',
    ],
    ['the event', "crew.on('begin', () => { ¦ })", "on('begin')"],
    [
      'the event, after the enclosing function',
      "function install() { crew.on('begin', (a) => ¦a.b) }",
      "install.on('begin')",
    ],
    ['the event, also in a chain', "bus.on('a', f).once('b', function () { ¦ })", "once('b')"],
    ['the event, through a callback', "on('begin', () => rows.map((row) => ¦row.a))", "on('begin').<anonymous>"],
    ['the event only if it is a text', 'function install() { crew.on(begin, () => { ¦ }) }', 'install.<anonymous>'],
    ['the function around a call that uses it now', "function f() { span.run('load', () => ¦1) }", 'f.<anonymous>'],
    [
      'the enclosing function, if the variable holds the result of the call',
      'function decode(text) { const read = measured(() => { ¦ }) }',
      'decode.<anonymous>',
    ],
    ['the variable and property, through a call', 'const cart = slice({ on: { add() { ¦ } } })', 'cart.on.add'],
    ['the export', 'export default function () { ¦ }', 'default'],
    ['the export, as an arrow', 'export default () => ¦1', 'default'],
    ['the export, through a call', 'export default observer(() => { ¦ })', 'default'],
    ['the property of an exported object', 'export default { methods: { save() { ¦ } } }', 'methods.save'],
    ['the method of an exported class', 'export default class { total() { ¦ } }', 'default.total'],
  ])('%s', async (_by, code, name) => {
    expect(await nameAtMark(code)).toBe(name);
  });
});

describe('the name of a position is that of the innermost function', () => {
  test.each([
    ['a function in a function', 'function load() { function parse() { ¦ } }', 'parse'],
    ['behind a function in a function', 'function load() { function parse() {} ¦ }', 'load'],
    ['a callback in a method', 'class Cart { total() { rows.map((row) => ¦row.x) } }', 'Cart.total.<anonymous>'],
    ['callbacks in callbacks', 'const load = () => a(() => b(() => { ¦ }))', 'load.<anonymous>'],
    ['a returned function', 'const add = (a) => (b) => ¦a + b', 'add.<anonymous>'],
    ['a callback outside of functions', 'rows.map((row) => ¦row.x)', null],
    ['a method called on the value', 'const sums = rows.map((row) => { ¦ })', null],
    ['a constructor is its class', 'class Cart { constructor() { ¦ } }', 'Cart'],
    ['a field belongs to the constructor', 'class Cart { total = ¦sum(1) }', 'Cart'],
    ['a static block, too', 'class Cart { static { ¦ } }', 'Cart'],
    ['a default of a parameter', 'function total(a = ¦b()) {}', 'total'],
  ])('%s', async (_what, code, name) => {
    expect(await nameAtMark(code)).toBe(name);
  });

  test.each(['\n', '\r\n', '\r', '\u2028', '\u2029'])('with lines that end with %j', async (lineEnd) => {
    const lines = ['const a = "x\u2028y";', 'function load() {', '  start();', '}', '', 'function total() { ¦ }'];
    expect(await nameAtMark(lines.join(lineEnd))).toBe('total');
  });

  test('a position outside of functions has no name', async () => {
    expect(await nameAtMark('const a = 1;\n¦start();\nfunction start() {}')).toBeNull();
  });

  test('a position outside of functions gets the name of a function that begins later on the line', async () => {
    expect(await nameAtMark('const a = 1;\n¦export const total = () => 1;')).toBe('total');
    expect(await nameAtMark('function a() {} ¦\nfunction b() {}')).toBeNull();
  });
});

describe('functions are parsed in sources of each kind', () => {
  test.each([
    ['src/a.js', 'const a = <b onClick={() => { ¦ }} />', 'onClick'],
    ['src/a.js', 'const total = (a: number): string => { ¦ }', 'total'],
    ['src/a.js', 'with (a) { var total = function () { return 010; ¦ } }', 'total'],
    ['src/a.js?v=3', '#!/usr/bin/env node\nfunction total() { ¦ }', 'total'],
    ['webpack://shop/./src/a.ts?1a2b', 'const total = <T>(a: T) => { ¦ }', 'total'],
    ['src/a.tsx', 'const total = <T extends object>(a: T) => { ¦ }', 'total'],
    ['src/a.ts', 'class A {\n  b?: string\n  @bind\n  total() { ¦ }\n}', 'A.total'],
    ['src/a.mts', 'abstract class A { abstract b(): void; declare c: string; total?(): void { ¦ } }', 'A.total'],
    ['src/a.cts', 'import b = require("b"); export = function total() { ¦ }', 'total'],
    ['src/a.ts', 'function total(a: string): void;\nfunction total(a: any) { ¦ }', 'total'],
    ['src/a.ts', 'using a = b(); enum C { D = 1 }\nconst total = (e = a!) => { ¦ }', 'total'],
    ['webpack/runtime/load', 'function total() { ¦ }', 'total'],
    [
      'src/a.vue',
      '<template>\n  <p/>\n</template>\n<script>\nexport default { methods: { total() { ¦ } } }\n</script>',
      'methods.total',
    ],
    ['src/a.vue', '<script setup lang="ts">\nconst total = (a: A) => { ¦ }\n</script>\n<style>a{}</style>', 'total'],
    ['src/a.vue', '<script>let a</script>\n<script setup>\nfunction total() { ¦ }\n</script>', 'total'],
    ['src/a.vue', '<script>function total() {}</script>\n<template>{{ ¦a.b }}</template>', null],
    ['src/a.vue?vue&type=script', 'export function total(a: A) { ¦ }', 'total'],
    ['src/a.svelte', '<h1>{a}</h1>\n<script lang="ts">\n  function total(a: A) { ¦ }\n</script>', 'total'],
    ['src/a.ts', 'const é = "💥"; const total = () => { ¦ }', 'total'],
    ['src/a.ts', 'const a = 1;\r\nconst total = () => {\r\n  ¦\r\n}', 'total'],
  ])('%s: %s', async (file, code, name) => {
    expect(await nameAtMark(code, file)).toBe(name);
  });

  test.each([
    ['src/a.css', 'a { color: ¦red }'],
    ['src/a.json', '{ "a": ¦1 }'],
    ['src/a.ts', 'this is ¦no program'],
    ['src/a.js', '\0\ud800¦'],
    ['src/a.vue', '<script>this is ¦no program</script>'],
    ['src/a.coffee', 'total = (a) -> ¦a'],
  ])('%s: functions are unknown', async (file, code) => {
    expect(await nameAtMark(code, file)).toBeUndefined();
  });

  test('an empty source has no functions', async () => {
    expect(await nameAtMark('¦')).toBeNull();
  });
});

describe('a malicious source', () => {
  const long = 30_000;
  test.each([
    ['(', ''],
    ['a=>', '1'],
    ['(a = (b) => ', '1'],
    ['[', ''],
    ['{', ''],
    ['({a:', '1'],
    ['`${', ''],
    ['a ? b : ', 'c'],
    ['a ? (b) : ', 'c'],
    ['if (a) {} else ', '{}'],
    ['a.b', ''],
    ['a(1)', ''],
    ['function f() {', ''],
    ['class A { a = ', ''],
    ['<a>', ''],
    ['<T>(', ''],
    ['async<', ''],
    ['let x: A<', ''],
    ['type X = A extends B ? ', 'C'],
    ['@a ', ''],
    ['/(?<a>', '/'],
    ['/* ', ''],
    ['yield ', ''],
    ['\n', ''],
    ['a: () => {}, ', ''],
    ['\0', ''],
    ['\ud800', ''],
  ])('of %j repeated is parsed or rejected', async (piece, end) => {
    const text = piece.repeat(long) + end;
    for (const file of ['a.js', 'a.ts', 'a.tsx', 'a.vue']) {
      const packed = await readFunctions(text, sourceKind(file)!);
      expect([null, expect.anything()]).toContainEqual(packed);
    }
  });

  test('of random pieces is parsed or rejected', async () => {
    const pieces = [
      '(',
      ')',
      '{',
      '}',
      '<',
      '>',
      '=>',
      'function',
      'class',
      'a',
      ' ',
      '\n',
      ':',
      '?',
      '/',
      '`',
      '@',
      '<script>',
      '</script>',
      '"',
      "'",
      '\\',
      'é',
      '\ud800',
      ',',
    ];
    const next = randomBelow(11);
    for (let round = 0; round < 400; round++) {
      const text = Array.from({ length: next(80) }, () => pieces[next(pieces.length)]).join('');
      for (const file of ['a.js', 'a.tsx', 'a.vue']) {
        const packed = await readFunctions(text, sourceKind(file)!);
        expect([null, expect.anything()]).toContainEqual(packed);
      }
    }
  });
});
