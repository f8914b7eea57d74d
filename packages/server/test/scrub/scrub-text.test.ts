import { beforeAll, describe, expect, test } from 'vitest';
import { countTextWork } from '../../../../test/test-utils/count-text-work.ts';
import { scrubText, scrubCode } from '../../src/scrub/scrub-text.ts';

/*
 * The texts that must be removed are in the contract tests. The tests here check the texts that must stay: an
 * explanation needs the words of its error.
 */

describe('scrubText', () => {
  test.each([
    'at pay (/app/pay.js:3:9)',
    'at read (https://shop.example/src/session.ts:3:9)',
    'order 1234567890123456 is late',
    'Cannot read properties of undefined',
    `Unexpected token '<', "<!doctype "... is not valid JSON`,
    'Unexpected token < in JSON at position 0',
    'Unexpected token : in JSON at position 12',
    'Unexpected token = in JSON at position 12',
    "Cannot read properties of undefined (reading 'token')",
    "undefined is not an object (evaluating 'session.user.name')",
    'GET /api/tokens answered 404',
    'the session has ended',
    'at https://unpkg.com/react@18.2.0/umd/react.js:10:5',
    'node_modules/.pnpm/react-dom@18.3.1/node_modules/react-dom/index.js:1:2',
    'at http://localhost:5173/node_modules/.vite/deps/@vue_shared.js?v=3f2a1b0c:12:34',
    'at http://[::1]:5173/@vite/client:12:34',
    'checkout@https://shop.example/assets/index-4f3a2b1c.js:1:23456',
    'webpack-internal:///./node_modules/next/dist/client/@scope/index.js:10:2',
    'file:///C:/Users/ada/@scope/pkg/index.js:1:2',
    'between 2026-11-20T09:00:00.000Z and 2026-11-21T10:30:00.000Z',
    '2026/11/20 09:00:00.123 - 2026/11/21 10:30:00.456',
    '20.11.2026 09.00.00, 21.11.2026 10.30.00',
    'from 192.168.100.200 to 192.168.100.201, 10.0.0.1 and 10.0.0.2',
    'versions 1.2.3, 1.10.4, 18.3.1, 22.14.0, 5.4.21',
    'total 1,234,567,890,123,456 items',
    '[0.1234, 0.5678, 12.25, 99.5, 3.14159265358979]',
    'error TS2307: Cannot find module',
    'x-request-id: 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
    'main.4f3a2b1c9d8e7f60.js, chunk-VENDORS-node_modules_react_index_js.js',
    'token=undefined',
    'Authorization: Bearer undefined',
    '{"token":null,"password":""}',
    'Bearer token missing',
    'WWW-Authenticate: Bearer realm="api", error="invalid_token"',
    'Basic authentication failed',
    'token: expected 3 segments',
    'Failed to refresh token: request timed out after 30 s',
    'The above error occurred in the <SessionProvider> component:\n    at SessionProvider (App.tsx:3:9)',
    'Expected <Token> to have a child',
    'Error in (<SessionProvider>): x is undefined',
    'Check the render method of `<SessionProvider>`.',
    "Is this one of the <SessionProvider>'s children?",
    'Did you forget a <SessionProvider>?',
    'No <CookieBanner>, <TokenInput>, or <AuthForm>.',
    'return <SessionProvider>{children}</SessionProvider>',
    'return <SessionProvider>{props.children}<App/></SessionProvider>',
    'close code is 1006',
    'status code is 404',
    'Password must be at least 10 characters',
    'The password is required',
    'secrets are kept in the vault',
    'global-error-handler-2024-chunk',
    'Missing fields: ["password", "email"]',
    'Loading chunk 12 failed.\n(error: https://shop.example/static/js/12.4f3a2b1c.chunk.js)',
    'ResizeObserver loop completed with undelivered notifications.',
    'IDBDatabase: transaction(["cart", "orders"], "readwrite")',
    'GET https://shop.example/api/cart?page=2&size=50&sort=price%20asc answered 500',
    'https://shop.example/?q=reset%20password%20page',
    'https://shop.example/%E2%9C%93/caf%C3%A9?x=a%2Fb%3Fc',
    'Failed to decode base64: aGVsbG8gd29ybGQgdGhpcyBpcyB0ZXh0',
    'integrity sha512-Q2hhbmdlTWVQbGVhc2VUaGlzSXNOb3RBU2VjcmV0QXRBbGw',
    'a &amp; b &lt; c &#39;quoted&#39;',
    'tokenize(input) failed in tokenizer.js',
    'Cookies are disabled in this browser',
    'compass: north, bypass=true',
    'pressed key: Enter',
    'https://shop.example/cart?code=SUMMER24',
    'session/new answered 302',
  ])('scrubText keeps %j unchanged', (text) => {
    expect(scrubText(text)).toBe(text);
  });

  test('scrubText keeps the text around a secret', () => {
    expect(
      scrubText('login of https://ada:x-1@shop.example/cart?token=x-2&page=2#top failed after 3 s (code E12)'),
    ).toBe('login of https://[removed]@shop.example/cart?token=[removed]&page=2#top failed after 3 s (code E12)');
    expect(scrubText('{"user":{"name":"Ada","password":"x-1","roles":["a"]},"token":null,"page":2}')).toBe(
      '{"user":{"name":"Ada","password":[removed],"roles":["a"]},"token":null,"page":2}',
    );
  });
});

describe('scrubText of elements', () => {
  test.each([
    '<userPassword>{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=</userPassword>',
    '<password>{noop}hunter2-prod</password>',
    '<password>{bcrypt}$2a$10$hunter2prod</password>',
    '<password>{hunter2}</password>',
    '<password>: hunter2</password>',
    'Enter <password>: hunter2',
    '<secret>! hunter2-prod',
    '<token>" hunter2secret</token>',
    '<password>*** hunter2</password>',
    '<Password>hunter2</Password>',
    '<Password>{SSHA}hunter2</Password>',
  ])('scrubText removes the content of %s', (text) => {
    expect(scrubText(text)).not.toMatch(/hunter2|W6ph5/);
  });
});

describe('scrubCode', () => {
  test.each([
    'const token = await getToken(user.id);',
    'const session = useSession();',
    'if (token === undefined) throw new Error();',
    'headers: { Authorization: `Bearer ${token}` },',
    'password: user.password,',
    'export function setPassword(password: string, options?: { token: string | null }) {',
    'return this.cookies.get(name)?.value ?? null;',
    'const { token, secret = defaultSecret } = props;',
    'if (!session.user) return redirect("/login");',
    'fetch(url, { credentials: "include" })',
    "await fetch('/api/session', { method: 'POST' });",
    'const [password, setPassword] = useState("");',
    '  token => token.value,',
    'this.token = token;',
  ])('scrubCode keeps %s unchanged', (line) => {
    expect(scrubCode(line)).toBe(line);
  });

  test.each([
    ["const apiKey = 'written-down-1';", 'written-down'],
    ['fetch("/login?password=in-a-text-1")', 'in-a-text'],
    ['url = `https://shop.example/?token=in-a-template-1&x=${y}`', 'in-a-template'],
    ['// staging: password=in-a-comment-1', 'in-a-comment'],
    [' * password: in-a-comment-2', 'in-a-comment'],
    ['const cookies = { sid: "in-an-object-1" };', 'in-an-object'],
    ['const tokens = ["in-a-list-1", "in-a-list-2"];', 'in-a-list'],
    ['const pin = 1234;', '1234'],
    ["mail('ada.l@shop.example')", 'ada.l'],
  ])('scrubCode removes the secret of %s', (line, secret) => {
    expect(scrubCode(line)).not.toContain(secret);
  });
});

test('scrubText does work linear in the length of the text', async () => {
  const signs = ['a', '1 ', '1-', '1.', '%40%', '\\"', '%25', 'token', 'YWFh', 'pk_', "it's ", '[{', '\n'];
  const words = [
    'token:[!',
    'token={',
    'token:(',
    "'cookie:",
    'Cookie: a="',
    '"token","',
    '&quot;token&quot;:&quot;',
    'token\\u0022',
  ];
  const pages = [
    '<token ',
    '<a name="token">',
    '<td>token</td>',
    '<a value=a ',
    'name="token"\n',
    '://a:b/',
    'mysql -',
    'a (at) ',
  ];
  for (const part of [...signs, ...words, ...pages]) {
    const stepsOf = (chars: number): Promise<number> =>
      countTextWork(() => scrubText(part.repeat(chars / part.length)));
    const [small, large] = [await stepsOf(500), await stepsOf(2_000)];
    // Quadratic work would grow sixteenfold.
    expect(large / small, part).toBeLessThan(6);
  }
});

describe('scrubText of hostile text', () => {
  const ofLength = (part: string, chars: number): string => part.repeat(Math.ceil(chars / part.length)).slice(0, chars);
  const tag = (part: string, chars: number): string => `<${ofLength(part, chars)}`;
  /** Nests a text in escapes, and in base64 once more. */
  const hidden = (text: string): string => `${Buffer.from(`${text} %252561`).toString('base64')} %252561 `;
  const parts: [name: string, part: string][] = [
    ['names in one tag', tag('token-', 400)],
    ['names in one tag, hidden', hidden(tag('token-', 400))],
    ['short elements', hidden(tag('cookie', 240))],
    ['names and values', hidden(tag('token value   ', 400))],
    ['values in one tag', hidden(tag('value=', 200) + ofLength('toke', 400))],
    ['elements without an end', hidden(`<token> a${ofLength(' ', 512)}`)],
    ['letters of any script', hidden('парол')],
    ['digits of any script', hidden('٣')],
    ['parts of a form', hidden(`name=token${ofLength('b', 190)}\r\n${`${ofLength('a', 199)}\r\n`.repeat(4)}`)],
    ['names in a form', hidden(`.name=${ofLength('token', 200)}${ofLength('b', 200)}\n`)],
    ['dates', hidden('41-')],
    ['addresses', hidden('a@a.')],
  ];
  const stepsOf = (text: string): Promise<number> => countTextWork(() => scrubText(text));
  const chars = 2_000;
  const plain = hidden('The order of 12 apples has failed, and was tried again. '.repeat(5));

  let plainSteps = 0;
  beforeAll(async () => void (plainSteps = await stepsOf(ofLength(plain, chars))));

  test.each(parts)('scrubText does linear work for %s', async (_, part) => {
    const [once, twice] = [await stepsOf(ofLength(part, chars)), await stepsOf(ofLength(part, 2 * chars))];
    // When each name was tried with each end, the work was fifteen times that of plain text.
    expect(once / plainSteps).toBeLessThan(6);
    expect(twice / once).toBeLessThan(3);
  });
});

test('scrubText does bounded work for nested base64', async () => {
  let text = 'hello wor';
  for (let level = 0; text.length < 2_000; level++) text = `${Buffer.from(text).toString('base64')} %252525`;
  const plain = 'hello wor '.repeat(text.length / 10);
  const [plainSteps, nestedSteps] = [
    await countTextWork(() => scrubText(plain)),
    await countTextWork(() => scrubText(text)),
  ];
  // Without a limit the work would grow a million times.
  expect(nestedSteps / plainSteps).toBeLessThan(100);
});
