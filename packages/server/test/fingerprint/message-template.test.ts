import { expect, test, vi } from 'vitest';
import { messageTemplate } from '../../src/fingerprint/message-template.ts';

test.each([
  ['nothing to replace here', 'nothing to replace here'],
  ['order 4711 of 12', 'order <n> of <n>'],
  ['waited 72320ms, -3.5 %, 1,024 kB', 'waited <n>'],
  ['ids 1, 2, 3 are gone', 'ids <n> are gone'],
  ['no user ann.lee+x@mail.example.org', 'no user <email>'],
  ['GET https://api.example/a/7?x=1 failed', 'GET <url> failed'],
  ['GET /api/products/90837 failed', 'GET /api/products/<n> failed'],
  ['Field "title" is not \'ok\'', 'Field <text> is not <text>'],
  ["can't open, won't close", "can't open, won't close"],
  ['no file caf%C3%A9.txt', 'no file <text>'],
  ['board 9b407002-55fe-43d2-a655-7753bd51d9c9', 'board <id>'],
  ['token tok_7d1af14ba29c expired', 'token <id> expired'],
  ['commit d0f1b2c3d4e5 is 0xdeadbeef', 'commit <id> is <id>'],
  ['expired at 2024-04-23T04:50:29.750Z', 'expired at <date>'],
  ['on Tue, 23 Apr 2024 at 10:30 PM', 'on <date> at <time>'],
  ['peer 10.71.228.57:8080 refused', 'peer <ip> refused'],
  ['Minified React error #185; visit it', 'Minified React error #185; visit it'],
  ['Request failed with status code 404', 'Request failed with status code 404'],
  ['ERR_1001_X: no cart 7', 'ERR_1001_X: no cart <n>'],
  ['ERR-1001, ERR1002 and ERR_1003', 'ERR-1001, ERR1002 and ERR_1003'],
  ['INVALID_SHA256_DIGEST of HTTP_404_NOT_FOUND', 'INVALID_SHA256_DIGEST of HTTP_404_NOT_FOUND'],
  ['{"code":"ERR_1001_X","order":"ORD_20261122_X"}', '{code:ERR_1001_X,order:string}'],
  ['ORD_20261122_X of USER_4711 in SEAT_A12 by TOK_7D1AF14BA29C', '<id> of <id> in <id> by <id>'],
  ['seat AB-1234-CD', 'seat <id>'],
  ['on Sun Nov 22 2026 10:00:00 GMT+0100 (Mitteleuropäische Normalzeit)', 'on <date> <time>'],
  ['1 item for 1e+21 € and 2 items for 1\u202f234,50 €', '<n> item for <n> € and <n> item for <n> €'],
  ['注文٤٧ and the 22nd of 1,234', '注文<n> and the <n> of <n>'],
  ["‘ann’, „bob“ or 'O'Brien', but don't", "<text> or <text>, but don't"],
  ['version 2.0.0-beta.1 of d0f1b2c', 'version <n> of <id>'],
  ['800x600 in #ff0000 or #00ff7f', '<id> in #<n> or #<n>'],
  ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dozjgN_L0 and c29tZSBvdGhlcg== expired', '<id> and <id> expired'],
  ['#418; visit https://react.dev/errors/418?args[]=HTML&args[]= for it', '#<n>; visit <url> for it'],
  ['{"code":"P2002","message":"no cart 7"}', '{code:P2002,message:no cart <n>}'],
  ['promo code 1234 is used', 'promo code <n> is used'],
  [
    "Could not open color 7: Cannot read properties of undefined (reading 'accent')",
    'Could not open color <n>: <nullish>',
  ],
  [
    'Could not open color 8: can\'t access property "accent", r().theme is undefined',
    'Could not open color <n>: <nullish>',
  ],
  ['\n\n first \n\n second \n third', 'first\nsecond'],
  ['{"code":"E_STOCK","sku":"a1","left":3}', '{code:E_STOCK,left:number,sku:string}'],
  ['[{"path":"/users/17","status":404}]', '[{path:/users/<n>,status:404}]'],
  ['{not json: 5', '{not json: <n>'],
])('the template of %s', (message, template) => expect(messageTemplate(message)).toBe(template));

test('a message template does not depend on earlier messages', async () => {
  const sentences = [
    'order 1 of 23 took 4567 ms',
    'token 5x12345678 expired',
    'board 9b407002-55fe-43d2-a655-7753bd51d9c9 of 7',
    'Request failed with status code 404',
    'Minified React error #185; visit it',
    'peer 10.71.228.57:8080 refused on 23 Apr 2024 at 10:30',
    'no v2 of <h1><h2>, only of v1',
    '[1, 12, 100]',
    '{"code": 12}',
    '{"code": "ERR_12_X"}',
    '{"code": "P2002", "message": "12"}',
    'color #ff00a1 in 800x600 at 10:00:00 GMT+0100 (CET), 1e5 and 2.0.0-beta.1',
    'ERR_1001_X or ORD_20261122_X',
    "Could not open 7: Cannot read properties of undefined (reading '0')",
  ];
  const variants = sentences.flatMap((sentence) =>
    ['0', '1', '7'].flatMap((digit) => [
      sentence,
      sentence.replace(/\d/, digit),
      sentence.replaceAll(/\d/g, digit),
      sentence.replaceAll(/\d(?=\d)/g, digit),
    ]),
  );
  for (const message of [...variants, ...variants.toReversed()]) {
    vi.resetModules();
    const fresh = await import('../../src/fingerprint/message-template.ts');
    expect(messageTemplate(message), message).toBe(fresh.messageTemplate(message));
  }
});
