/*
 * What web applications let slip into messages, in the forms in which they do. None of these secrets opens anything. Those
 * that have the form of somebody's keys are put together here, for tools that look for keys in repositories.
 */

const jwt =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
const pem = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA3Tz2mr7SZiAMfQyu\n-----END RSA PRIVATE KEY-----';
const key = (prefix: string, rest = '4eC39HqLyjWDarjtT1zdp7dc'): string => prefix + rest;

/** A text, and what must not be left of it. */
export const secretTexts: [text: string, ...secrets: string[]][] = [
  // Names and values
  ['login failed: password=hunter2-secret', 'hunter2'],
  ['login failed: Password = hunter3-secret', 'hunter3'],
  ['passwd: pass-wd-1', 'pass-wd-1'],
  ['userPassword: "dos palabras"', 'dos', 'palabras'],
  [String.raw`user_password='das \'wort\' zweimal'`, 'wort', 'zweimal'],
  ['passphrase: open-sesame-1', 'open-sesame'],
  ['pwd=short-name-1', 'short-name'],
  ['pass: shorter-name-1', 'shorter-name'],
  ['client_secret=cs-1234', 'cs-1234'],
  ['private_key: "pk-body-1"', 'pk-body'],
  ['accessKey=access-key-1', 'access-key-1'],
  ['AccountKey=azure+account/key==;EndpointSuffix=x', 'azure+account'],
  ['credentials: user:open-door', 'open-door'],
  ['csrf_token=csrf-5', 'csrf-5'],
  ['X-XSRF=xsrf-6', 'xsrf-6'],
  ['JSESSIONID=java-session-7', 'java-session'],
  ['PHPSESSID=php-session-8', 'php-session'],
  ['connect.sid=s%3Anode-session-9', 'node-session'],
  ['otp: 123987', '123987'],
  ['cvv=987', '=987'],
  [':password=>"ruby-style-1"', 'ruby-style'],
  ['token -> arrow-style-1', 'arrow-style'],
  ['--password cli-style-1 --verbose', 'cli-style'],
  ['mysql --db-token "cli style 2"', 'cli style'],
  ['<password>xml-style-1</password>', 'xml-style'],
  ['<ns:ApiToken type="x">xml-style-2</ns:ApiToken>', 'xml-style-2'],
  ['<input type="password" class="a" value="html style 1">', 'html style'],
  ['const apiKey = `template-style-1`', 'template-style'],
  // JSON, and JSON within JSON
  ['{"passwd":"p4ss-in-json"}', 'p4ss-in-json'],
  ['{"password":"ab\\"cd-after-quote"}', 'cd-after-quote'],
  [String.raw`"{\"secret\":\"escaped-secret-1\"}"`, 'escaped-secret-1'],
  [String.raw`"{\"secret\":\"ab\\\"cd-escaped-quote\",\"x\":1}"`, 'cd-escaped-quote'],
  [String.raw`{\\\"token\\\":\\\"escaped-twice-1\\\"}`, 'escaped-twice'],
  ['{"tokens":["list-one-1","list-two-2"]}', 'list-one', 'list-two'],
  ['{"tokens": [\n  "list-three-3",\n  "list-four-4"\n]}', 'list-three', 'list-four'],
  ['{"cookies":{"theme":"object-one-1","id":"object-two-2"}}', 'object-one', 'object-two'],
  [`{"session":"${'long-value-'.repeat(500)}the-end-of-it"}`, 'the-end-of-it'],
  // Queries, forms and fragments
  ['GET /cb?access_token=url-token-77&x=1', 'url-token-77'],
  ['GET /cb#session=hash-session-5', 'hash-session-5'],
  ['next=%2Fa%3Ftoken%3Dencoded-token-3', 'encoded-token-3'],
  ['next=%252Fa%253Ftoken%253Dencoded-twice-3', 'encoded-twice'],
  ['%7B%22token%22%3A%22encoded-json-4%22%7D', 'encoded-json'],
  ['user[password]=form-style-1&user[name]=Ada', 'form-style-1'],
  ['user%5Bpassword%5D=form-style-2', 'form-style-2'],
  ['tokens[]=form-style-3&tokens[0]=form-style-4', 'form-style-3', 'form-style-4'],
  ['https://user:url-password-9@shop.example/', 'url-password-9'],
  ['postgres://app:p@ss-with-at@db.example/shop', 'p@ss', 'ss-with-at'],
  ['redis://:only-password@cache.example:6379', 'only-password'],
  ['https://bucket.example/a?X-Amz-Credential=aws-cred-1&X-Amz-Signature=aws-sig-2', 'aws-cred', 'aws-sig'],
  ['https://blob.example/a?sv=1&sig=azure-sig-3', 'azure-sig'],
  // Headers
  ['Authorization: Bearer abcDEF0123456789.token', 'abcDEF0123456789'],
  ['Authorization: Basic dXNlcjpwYXNz', 'dXNlcjpwYXNz'],
  ['Authorization: Token plain-token-1', 'plain-token'],
  ['Authorization: Digest username="ada", response="digest-response-1"', 'digest-response'],
  ['authorization: AWS4-HMAC-SHA256 Credential=AKcred-1/x, Signature=aws4-signature', 'AKcred', 'aws4-signature'],
  ['Proxy-Authorization: Negotiate YIIJvwYGKwYBBQUCoIIJszCC', 'YIIJvwYGKwYB'],
  ['Cookie: theme=dark-cookie; sid=sid-cookie-1; other=other-cookie-2', 'dark-cookie', 'sid-cookie', 'other-cookie'],
  ['Set-Cookie: a=set-cookie-1; Path=/; id=set-cookie-2', 'set-cookie-1', 'set-cookie-2'],
  [String.raw`GET / HTTP/1.1\r\nCookie: a=raw-cookie-1; b=raw-cookie-2\r\nHost: x`, 'raw-cookie-1', 'raw-cookie-2'],
  [`curl -H 'Cookie: a="curl-cookie-1"; b=curl-cookie-2' https://shop.example`, 'curl-cookie-1', 'curl-cookie-2'],
  ['x-api-key: header-key-1', 'header-key'],
  ["{ 'x-auth-token': 'header-key-2', accept: '*/*' }", 'header-key-2'],
  // What is a secret under any name
  [`jwt ${jwt} here`, 'eyJzdWIi', 'dozjgNry'],
  [`it was cut: ${jwt.slice(0, 60)}`, 'eyJzdWIi'],
  [`state ${Buffer.from('{"user":"ada","pin":1}').toString('base64')}`, 'eyJ1c2Vy'],
  [pem, 'MIIEpAIBAAKC'],
  [pem.slice(0, 60), 'MIIEpAIBAAKC'],
  [`new Stripe(${key('sk_live_')})`, '4eC39HqLyj'],
  [`OpenAI ${key('sk-proj-')}`, '4eC39HqLyj'],
  [`push ${key('ghp_')} and ${key('glpat-')}`, '4eC39HqLyj'],
  [`npm ${key('npm_')}`, '4eC39HqLyj'],
  [`chat ${key('xoxb-', '1234567890-abcdEFGHijkl')}`, 'abcdEFGHijkl'],
  [`aws ${key('AK', 'IAIOSFODNN7EXAMPLE')}`, 'IOSFODNN7'],
  [`maps ${key('AIza', 'SyDaGmWKa4JsXZ-HjGw7ISLn_3namBGewQe')}`, 'SyDaGmWKa4'],
  [`mail ${key('SG.', 'ngeVfQFYQlKU0ufo8x5d1A.TwL2iGABf9DHoTf')}`, 'ngeVfQFYQl', 'TwL2iGABf9'],
  [`bot ${key('110201543:AA', 'HdqTcvCH1vGWJxfSeofSAs0K5PALDsaw')}`, 'HdqTcvCH1v'],
  ['https://hooks.slack.com/services/T0000/B0000/hook-path-1', 'hook-path'],
  ['key pk_6mJ0r7sXkQeW1tYb3uVhLdZa and pat_6mJ0r7sXkQeW1tYb3uVhLdZa', '6mJ0r7sX'],
  // People
  ['mail ada.lovelace@example.com bounced', 'ada.lovelace', 'example.com'],
  ['mail ada+tag@mail.shop.example.co.uk bounced', 'ada+tag', 'co.uk'],
  ['GET /?email=grace%40example.com', 'grace%40'],
  ['mail jürgen@übung.example bounced', 'rgen@', 'bung'],
  ['"Ada" <ada@example.org>', 'ada@'],
  ['card 4111 1111 1111 1111 declined', '1111 1111'],
  ['card 4111111111111111 declined', '41111111'],
  ['card 5500-0000-0000-0004 declined', '5500-0000'],
  ['amex 3782 822463 10005 declined', '822463'],
  ['card 4111 1111 1111 1111 123 12 27', '1111 1111'],
  ['2026 4111 1111 1111 1111', '1111 1111'],
  ['card_4111111111111111', '41111111'],
];

/** Fields of a report, and what of them must not be told. */
export const secretFields: [fields: object, ...secrets: string[]][] = [
  [{ metadata: { user: { password: 'nested-password-2' } } }, 'nested-password-2'],
  [{ metadata: { api_key: ['list-key-1', 'list-key-2'] } }, 'list-key-1', 'list-key-2'],
  [{ metadata: { cookie: { theme: 'cookie-value-8' } } }, 'cookie-value-8'],
  [{ metadata: { form: { cardCvc: 'three-digits', userPin: 'four-digits' } } }, 'three-digits', 'four-digits'],
  [
    {
      metadata: {
        headers: [
          ['accept', 'x'],
          ['Cookie', 'a=pair-cookie-1'],
        ],
      },
    },
    'pair-cookie',
  ],
  [{ metadata: { headers: [{ name: 'X-Api-Key', value: 'named-key-1' }] } }, 'named-key'],
  [{ metadata: { field: { id: 'password', value: 'field-password-1' } } }, 'field-password'],
  [{ metadata: { card: 4_111_111_111_111_111 } }, '41111111'],
  [{ metadata: { 'ada@names.example': 1 } }, 'ada@names'],
  [{ metadata: { body: '{"a":{"refresh_token":"body-token-1"}}' } }, 'body-token'],
  [{ user: { id: 'user-id-31337' } }, 'user-id-31337'],
  [{ user: { id: 'u31337x' }, metadata: { who: 'u31337x' }, url: 'https://shop.example/u/u31337x' }, 'u31337x'],
  [{ url: 'https://shop.example/cb?access_token=url-token-78&x=1' }, 'url-token-78'],
  [{ url: 'https://user:url-password-10@shop.example/' }, 'url-password-10'],
  [{ breadcrumbs: [crumb({ url: '/x?api_key=crumb-key-6' })] }, 'crumb-key-6'],
  [{ breadcrumbs: [crumb({ authorization: 'crumb-auth-7' })] }, 'crumb-auth-7'],
  [{ breadcrumbs: [crumb({ arguments: ['token:', 'crumb-argument-8'] })] }, 'crumb-argument-8'],
  [{ stacktrace: 'Error: x\n    at f (https://shop.example/a.js?token=stack-token-2:1:2)' }, 'stack-token-2'],
  [{ stacktrace: 'Error: x\n    at f (a.js:1:2)\nCaused by: Error: password=cause-password-3' }, 'cause-password-3'],
  [{ release: 'build of ada@release.example' }, 'ada@release'],
  [{ environment: 'token=environment-token-1' }, 'environment-token'],
  [{ type: 'Error', user_agent: 'Bot (mailto:bot@agents.example)' }, 'bot@agents'],
  // A secret that the limit of a message cuts in two is still one.
  [{ message: `${'x'.repeat(4_076)} mail ada.cut.in.two@example.com and more` }, 'ada.cut'],
  [{ message: `${'y'.repeat(4_000)} jwt ${jwt}` }, 'eyJzdWIi'],
];

function crumb(data: object): object {
  return { timestamp: '2026-11-20T09:00:00.000Z', type: 'http', category: 'fetch', data };
}
