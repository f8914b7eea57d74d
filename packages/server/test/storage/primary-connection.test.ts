import { expect, test } from 'vitest';
import { isReply } from '../../src/storage/postgres/primary-connection.ts';

test.each([
  ['a rejected query', { severity: 'ERROR', code: '23505' }, true],
  ['a server that shuts down', { severity: 'FATAL', code: '57P01' }, false],
  ['a lost connection that PostgreSQL reports', { severity: 'FATAL', code: '08006' }, false],
  ['a broken socket', { code: 'EPIPE' }, false],
  ['a reset socket', { code: 'ECONNRESET' }, false],
  ['a timeout', {}, false],
])('the outcome of a query is known or not after %s', (_, properties, expected) => {
  expect(isReply(Object.assign(new Error('It failed.'), properties))).toBe(expected);
});
