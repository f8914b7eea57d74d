import { gzipSync } from 'node:zlib';
import { adminToken, type WatchedServer } from './watched-server.ts';

const auth = `Authorization: Bearer ${adminToken}\r\n`;
const get = (path: string, more = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${auth}${more}\r\n`;

function post(path: string, body: string | Uint8Array, headers: Record<string, string> = {}): Uint8Array {
  const bytes = Buffer.from(body as string);
  const given = { 'Content-Type': 'application/json', 'Content-Length': String(bytes.length), ...headers };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`POST /api/v1/${path} HTTP/1.1\r\nHost: x\r\n${auth}${lines.join('')}\r\n`),
    bytes,
  ]);
}

/** Makes the server close the connection after the response. */
const closeConnection = { Connection: 'close' };

/** Request heads that HTTP forbids or that only an attacker sends. */
export const oddRequests: [name: string, text: string, statuses: readonly number[]][] = [
  ['100,000 headers', `GET /healthz HTTP/1.1\r\nHost: x\r\n${'a:b\r\n'.repeat(100_000)}\r\n`, [431]],
  ['a header of 20 KB', get('/healthz', `X: ${'a'.repeat(20_000)}\r\n`), [431]],
  ['a URL of 20 KB', get(`/api/v1/errors?search=${'a'.repeat(20_000)}`), [431]],
  [
    'trailers of 40 KB',
    post('errors', `1\r\n{\r\n0\r\n${'X: aaaaaaaaaaaaaaa\r\n'.repeat(2_000)}\r\n`, {
      'Content-Length': '',
      'Transfer-Encoding': 'chunked',
    })
      .toString()
      .replace('Content-Length: \r\n', ''),
    [431],
  ],
  [
    'a chunk extension of 20 KB',
    `POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
    [400],
  ],
  [
    'both lengths',
    `POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
    [400],
  ],
  ['two lengths', `POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n{}`, [400]],
  ['a negative length', 'POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n{}', [400]],
  [
    'a length beyond the safe integers',
    `POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nContent-Length: ${'9'.repeat(30)}\r\n\r\n{}`,
    [400],
  ],
  [
    'an unknown transfer coding',
    'POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n',
    [400],
  ],
  [
    'an oversized chunk length',
    'POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n{}',
    [400],
  ],
  ['no host', 'GET /healthz HTTP/1.1\r\n\r\n', [400]],
  [
    'an unknown expectation',
    'POST /api/v1/errors HTTP/1.1\r\nHost: x\r\nExpect: more\r\nContent-Length: 2\r\n\r\n{}',
    [400],
  ],
  ['a CONNECT request', 'CONNECT inside.example:22 HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
  ['an unknown method', 'BREW /healthz HTTP/1.1\r\nHost: x\r\n\r\n', [400]],
  ['an HTTP/2 preface', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', [400]],
  ['TLS', '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003', [400]],
  ['a folded header', 'GET /healthz HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n', [400]],
  ['lines without a carriage return', 'GET /healthz HTTP/1.1\nHost: x\n\n', [400]],
  ['a NUL in the path', get('/api/v1/projects/\u0000'), [400]],
];

/** Paths that try to reach another path. */
export const oddPaths: [path: string, ...statuses: number[]][] = [
  ['http://evil.example/api/v1/projects', 200],
  ['http://evil.example/nothing', 404],
  ['//evil.example/api/v1/projects', 404],
  ['//api/v1/projects', 404],
  ['/api//v1/projects', 404],
  ['/api/v1/x/../projects', 200],
  ['/api/v1/x/%2e%2e/projects', 200],
  ['/../../../etc/passwd', 404],
  ['/..%2f..%2f..%2fetc/passwd', 404],
  ['/%2e%2e/%2e%2e/etc/passwd', 404],
  ['/icon.svg/../../package.json', 404],
  ['/..%5c..%5cpackage.json', 404],
  ['/api/v1%2Fprojects', 404],
  ['/api/v1/projects/1%2F..', 404],
  ['/api/v1/projects/%00', 404],
  ['/api/v1/projects/1%00', 404],
  ['/api/v1/projects/%ff', 400],
  ['/api/v1/projects/%ZZ', 400],
  ['/api/v1/errors?search=%ZZ', 200],
  ['/api/v1/errors?search=%ff%00', 200],
  ['/api/v1/projects/1e0', 404],
  ['/api/v1/projects/0x1', 404],
  ['/api/v1/projects/+1', 404],
  ['/api/v1/projects/1.0', 404],
  ['/api/v1/projects/01', 404],
  ['/api/v1/projects/%31', 200],
  // Node.js itself rejects this path, except for the oldest supported release.
  ['/api/v1/projects/٣', 400, 404],
  ['/api/v1/projects/9007199254740993', 404],
  ['/api/v1/projects/__proto__', 404],
  ['/api/v1/projects/constructor', 404],
  ['/api/v1/__proto__', 404],
  ['/api/v1/errors?__proto__=1', 422],
  ['/api/v1/errors?page=1&page=1', 422],
  ['/api/v1/errors?page=1e1', 422],
  ['/api/v1/errors?size=Infinity', 422],
];

const nested = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const gzip = (bytes: Uint8Array | string): Buffer => gzipSync(bytes, { level: 9 });

/** 64 MB of zeros, compressed to 64 KB. */
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024));

/** Bodies of reports with the statuses that are correct responses. */
export function hostileReports(
  key: string,
): [name: string, body: string | Uint8Array, headers: Record<string, string>, statuses: readonly number[]][] {
  const report = (fields: string): string => `{"project_api_key":${JSON.stringify(key)},"message":"m"${fields}}`;
  const gzipped = { 'Content-Encoding': 'gzip' };
  return [
    [
      'invalid UTF-8',
      Buffer.concat([
        Buffer.from(report('').slice(0, -2)),
        Buffer.from([0xff, 0xfe, 0xc0, 0x80, 0xed, 0xa0, 0x80]),
        Buffer.from('"}'),
      ]),
      {},
      [200],
    ],
    ['UTF-16', Buffer.from(report(''), 'utf16le'), {}, [400]],
    ['a byte order mark', `\uFEFF${report('')}`, {}, [200, 400]],
    [
      'NUL in every field',
      report(',"environment":"\\u0000","release":"\\u0000","url":"\\u0000","metadata":{"\\u0000":"\\u0000"}'),
      {},
      [200],
    ],
    ['a raw NUL', report('').replace('"m"', '"\u0000"'), {}, [400]],
    ['lone surrogates', report(String.raw`,"environment":"\ud800","metadata":{"\udfff":"\ud800\ud800"}`), {}, [200]],
    [
      '__proto__ everywhere',
      report(
        ',"__proto__":{"is_admin":true},"metadata":{"__proto__":{"a":1},"constructor":{"prototype":{"b":1}}},"user":{"__proto__":{"id":"x"}}',
      ),
      {},
      [200],
    ],
    ['__proto__ as the only key', '{"__proto__":{"project_api_key":"x","message":"m"}}', {}, [422]],
    ['the key as an object', '{"project_api_key":{"$ne":null},"message":"m"}', {}, [422]],
    ['20,000 levels', report(`,"metadata":${nested(20_000)}`), {}, [422]],
    ['20,000 open brackets', `${report('').slice(0, -1)},"metadata":${'['.repeat(20_000)}`, {}, [400]],
    ['50,001 values', report(`,"metadata":{"a":[${Array.from({ length: 50_001 }, () => 0).join(',')}]}`), {}, [422]],
    [
      '300,000 keys',
      report(`,"metadata":{${Array.from({ length: 60_000 }, (_, index) => `"k${index}":1`).join(',')}}`),
      {},
      [422],
    ],
    ['a number of 100,000 digits', report(`,"metadata":{"n":${'9'.repeat(100_000)}}`), {}, [200]],
    ['1 MB of one line of stack', report(`,"stacktrace":"${'at '.repeat(300_000)}"`), {}, [200]],
    ['64 KB of hostile stack', report(`,"stacktrace":"${'at a (b:1:1) ('.repeat(4_500)}"`), {}, [200]],
    ['stack of 60,000 empty lines', report(`,"stacktrace":"Error: x${'\\n'.repeat(60_000)}"`), {}, [200]],
    [
      'a message of separators only',
      `{"project_api_key":${JSON.stringify(key)},"message":"${'\\u2028/.:-0 '.repeat(60_000)}"}`,
      {},
      [200],
    ],
    [
      '10,000 breadcrumbs',
      report(`,"breadcrumbs":[${Array.from({ length: 10_000 }, () => '{"data":{"a":"b"}}').join(',')}]`),
      {},
      [200],
    ],
    [
      'mass assignment',
      report(
        ',"id":99,"project_id":2,"error_group_id":7,"is_new_group":true,"status":"resolved","fingerprint":"x","count":9999',
      ),
      {},
      [200],
    ],
    ['64 MB of zeros in 64 KB', bomb, gzipped, [413]],
    ['gzip in gzip', gzip(gzip(report(''))), gzipped, [400]],
    ['gzip with trailing garbage', Buffer.concat([gzip(report('')), Buffer.alloc(5_000, 'x')]), gzipped, [200, 400]],
    [
      'gzip of many members',
      Buffer.concat(Array.from({ length: 2_000 }, () => gzip(' ')).concat(gzip(report('')))),
      gzipped,
      [200],
    ],
    ['truncated gzip', gzip(report('')).subarray(0, 40), gzipped, [400]],
    ['gzip with a wrong checksum', Buffer.concat([gzip(report('')).subarray(0, -8), Buffer.alloc(8)]), gzipped, [400]],
    ['not gzip', 'x'.repeat(1_000_000), gzipped, [400]],
    ['an empty gzip body', '', gzipped, [400]],
    ['brotli', report(''), { 'Content-Encoding': 'br' }, [415]],
    ['2 MB', 'x'.repeat(2_000_000), {}, [413]],
    [
      '2 MB in chunks',
      `1e8480\r\n${'x'.repeat(2_000_000)}\r\n0\r\n\r\n`,
      { 'Content-Length': '', 'Transfer-Encoding': 'chunked' },
      [413],
    ],
  ];
}

/** Sends a report as bytes on its own connection. */
export function sendReport(
  server: WatchedServer,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Promise<string> {
  const { 'Content-Length': length, ...rest } = headers;
  const request = post('errors', body, { ...rest, ...closeConnection });
  const text = Buffer.from(request);
  return server.send([
    length === '' ? Buffer.from(text.toString('latin1').replace(/Content-Length: \d+\r\n/, ''), 'latin1') : text,
  ]);
}

const boundary = 'x';
const type = { 'Content-Type': `multipart/form-data; boundary=${boundary}` };
const part = (name: string, more = '', value = 'value'): string =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`;
const map = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' });
const file = part('file', '; filename="app.js.map"', map);

export const hostileForms: [
  name: string,
  body: string | Uint8Array,
  headers: Record<string, string>,
  statuses: readonly number[],
][] = [
  ['no boundary', file, { 'Content-Type': 'multipart/form-data' }, [400]],
  ['an empty boundary', file, { 'Content-Type': 'multipart/form-data; boundary=' }, [400]],
  ['a boundary of 8 KB', file, { 'Content-Type': `multipart/form-data; boundary=${'x'.repeat(8_000)}` }, [400]],
  ['a preamble of 2 MB', `${'y'.repeat(2_000_000)}\r\n${file}--x--\r\n`, type, [200, 201, 400]],
  ['a part header of 1 MB', `--x\r\nX: ${'a'.repeat(1_000_000)}\r\n\r\n\r\n--x--\r\n`, type, [400, 422]],
  ['10,000 headers of a part', `--x\r\n${'X: a\r\n'.repeat(10_000)}\r\n\r\n--x--\r\n`, type, [400, 422]],
  ['5,000 parts', `${part('release').repeat(5_000)}--x--\r\n`, type, [400, 422]],
  ['5,000 files', `${file.repeat(5_000)}--x--\r\n`, type, [400, 422]],
  ['5,000 boundaries', '--x\r\n'.repeat(5_000), type, [400, 422]],
  ['no closing boundary', file, type, [400]],
  ['a body that ends in a header', '--x\r\nContent-Disposition: form-data; na', type, [400]],
  [
    'a file name with parent folders',
    `${part('file', '; filename="../../../../etc/cron.d/x.map"', map)}--x--\r\n`,
    type,
    [200, 201],
  ],
  [
    'a file name with NUL and line breaks',
    `${part('file', '; filename="a\u0000b%0d%0a.map"', map)}--x--\r\n`,
    type,
    [200, 201, 400, 422],
  ],
  ['a file name of 7 KB', `${part('file', `; filename="${'n'.repeat(7_000)}.map"`, map)}--x--\r\n`, type, [422]],
  [
    'two file names',
    `${part('file', `; filename="a.map"; filename*=UTF-8''%ff%fe.map`, map)}--x--\r\n`,
    type,
    [200, 201, 400, 422],
  ],
  ['a file named __proto__', `${part('__proto__', '; filename="a.map"', map)}--x--\r\n`, type, [422]],
  ['a field named __proto__', `${part('__proto__')}${file}--x--\r\n`, type, [422]],
  ['a field of 1 MB', `${part('release', '', 'r'.repeat(1_000_000))}${file}--x--\r\n`, type, [413, 422]],
  [
    'a form in a form',
    `--x\r\nContent-Disposition: form-data; name="file"\r\nContent-Type: multipart/mixed; boundary=y\r\n\r\n--y\r\nContent-Disposition: file; filename="a.map"\r\n\r\n${map}\r\n--y--\r\n--x--\r\n`,
    type,
    [422],
  ],
  [
    'a base64 transfer encoding',
    `--x\r\nContent-Disposition: form-data; name="file"; filename="a.map"\r\nContent-Transfer-Encoding: base64\r\n\r\n${Buffer.from(map).toString('base64')}\r\n--x--\r\n`,
    type,
    [422],
  ],
  ['a gzipped form that is no gzip', 'x'.repeat(100_000), { ...type, 'Content-Encoding': 'gzip' }, [400]],
  ['64 MB of zeros as a form', bomb, { ...type, 'Content-Encoding': 'gzip' }, [400]],
  ['a JSON bomb as a map', `${part('file', '; filename="a.map"', '['.repeat(500_000))}--x--\r\n`, type, [422]],
  ['mass assignment', `${part('id', '', '99')}${part('project_id', '', '2')}${file}--x--\r\n`, type, [422]],
];

export function sendForm(
  server: WatchedServer,
  body: string | Uint8Array,
  headers: Record<string, string>,
): Promise<string> {
  return server.send([post('projects/1/source-maps', body, { ...headers, ...closeConnection })]);
}

/** Returns the status of the last response of a connection. */
export function statusOf(text: string): number {
  return Number([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].at(-1)?.[1] ?? 0);
}
