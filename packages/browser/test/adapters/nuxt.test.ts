import { expect, test } from 'vitest';
import { isMissingPage } from '../../src/nuxt/is-missing-page.ts';

/** An error as `createError()` of Nuxt returns it. */
function nuxtError(fields: object): Error {
  return Object.assign(new Error('Page not found: /carts'), { __nuxt_error: true }, fields);
}

test('a page that does not exist is not reported', () => {
  expect(isMissingPage(nuxtError({ statusCode: 404 }))).toBe(true);
  expect(isMissingPage(nuxtError({ status: 404 }))).toBe(true);
});

test('other errors of Nuxt, failed requests and any other value are reported', () => {
  const failedRequest = Object.assign(new Error('GET /api/cart: 404'), { statusCode: 404 });
  for (const thrown of [
    nuxtError({ statusCode: 500 }),
    nuxtError({}),
    failedRequest,
    new Error('404'),
    null,
    404,
    '404',
  ])
    expect(isMissingPage(thrown)).toBe(false);
});
