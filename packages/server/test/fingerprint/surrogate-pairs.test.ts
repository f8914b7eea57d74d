import { expect, test } from 'vitest';
import { errorKind } from '../../src/fingerprint/error-kind.ts';
import { fingerprintOf, fingerprintOfStack, sourceFrame } from './fingerprint-of.ts';

/**
 * More emoji than any component is long. They start at an even or an odd unit, so that a truncation would split a pair.
 */
const emoji = ['', 'x'].map((first) => first + '😀'.repeat(2_000));

test.each<[what: string, message: (text: string) => string]>([
  ['a sentence', (text) => text],
  ['a sentence with a value', (text) => `${text} 7`],
  ['a second line', (text) => `Order 7\n${text}`],
  ['the value of a JSON object', (text) => JSON.stringify({ message: text })],
  ['a key of a JSON object', (text) => JSON.stringify({ [[...text].slice(0, 500).join('')]: 1 })],
  ['the path of an issue', (text) => JSON.stringify([{ path: [text] }])],
])('no component of %s ends inside a surrogate pair', (_, message) => {
  for (const text of emoji) {
    for (const { grouping } of [
      fingerprintOfStack('', { message: message(text) }),
      fingerprintOfStack('Error: x\n    at checkout (https://shop.example/src/cart.js:1:2)', {
        message: message(text),
      }),
      fingerprintOf({
        message: message(text),
        frames: [sourceFrame({ code: [`throw new Error(\`Order \${id}: ${text}\`);`] })],
      }),
    ])
      expect(grouping.components).toEqual(grouping.components.map((component) => component.toWellFormed()));
  }
});

test('drops half of a surrogate pair that a JSON message escapes from its component', () => {
  const messages = ['{"message":"\\ud83d","\\ude00":1}', '[{"path":["\\ud83d"]}]'];
  expect(messages.flatMap((message) => fingerprintOfStack('', { message }).grouping.components)).toEqual([
    '{message:\ufffd,\ufffd:number}',
    '<issues> \ufffd',
  ]);
});

test('the name in an engine message does not end inside a surrogate pair', () => {
  for (const text of emoji) expect(errorKind(`Can't find variable: ${text}`)?.name?.isWellFormed()).toBe(true);
});
