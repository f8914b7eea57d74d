/** A source map of an attacker, and whether the server must accept it. */
export interface HostileMap {
  name: string;
  /** Yields the text in pieces, so that large maps are never in memory whole. */
  text: () => Iterable<string>;
  /** 201: accepted, and its frames are readable. 422: rejected with a reason. */
  status: 201 | 422;
}

const mapOf = (mappings: string, more: object = {}): string =>
  JSON.stringify({ version: 3, sources: ['src/a.ts'], names: ['a'], mappings, ...more });

const one = (text: string) => (): string[] => [text];

/** Yields a map with HERE replaced by `times` repetitions of the text. */
function* filled(map: string, text: string, times: number): Generator<string> {
  const [before = '', after = ''] = map.split('HERE');
  yield before;
  const piece = text.repeat(1_000);
  for (let left = times; left > 0; left -= 1_000) yield left < 1_000 ? text.repeat(left) : piece;
  yield after;
}

const megabyte = 1_000_000;
const nested = (depth: number, open: string, close: string): string => open.repeat(depth) + close.repeat(depth);

function* manySources(count: number): Generator<string> {
  yield '{"version":3,"names":[],"mappings":"AAAA","sources":["src/0.ts"';
  for (let index = 1; index < count; index++) yield `,"src/${index}.ts"`;
  yield ']}';
}

/** Yields an index map whose sections have no sources, each with HERE replaced by repetitions of the text. */
function* fullSections(count: number, fields: string, text: string, times: number): Generator<string> {
  yield '{"version":3,"sections":[';
  for (let line = 0; line < count; line++) {
    if (line > 0) yield ',';
    yield* filled(section(line, `{"version":3,"sources":[],"names":[],"mappings":"",${fields}}`), text, times);
  }
  yield ']}';
}

const section = (line: number, map: string, column = 0): string =>
  `{"offset":{"line":${line},"column":${column}},"map":${map}}`;

/** Source names that point outside the app. `secret` is the path of an existing file on this machine. */
export const oddSources = (secret: string): string[] => [
  secret,
  `file://${secret}`,
  `../../../../../../../../../..${secret}`,
  '/etc/passwd',
  '..\\..\\..\\windows\\win.ini',
  '\\\\evil.example\\share\\a.ts',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'http://169.254.169.254/latest/meta-data/',
  '<img src=x onerror=alert(1)>',
  '__proto__',
  'constructor',
  'a\u0000b.ts',
  '\u202Esj.live',
  '%2e%2e/%2e%2e/etc/passwd',
  `webpack://${'x/'.repeat(2_000)}a.ts`,
  '',
];

export const hostileMaps: HostileMap[] = [
  // Mappings.
  { name: 'VLQ with characters outside base64', text: one(mapOf('AAAA,!"§')), status: 422 },
  { name: 'VLQ that never ends', text: one(mapOf(`AAAA,${'g'.repeat(100_000)}`)), status: 422 },
  { name: 'VLQ that ends in the middle of a number', text: one(mapOf('AAAA,AAAg')), status: 422 },
  { name: 'numbers over 32 bits', text: one(mapOf('AAAA,+/////////D')), status: 422 },
  { name: 'positions of two, three and six fields', text: one(mapOf('AA,AAA,AAAAAA')), status: 422 },
  { name: 'mappings of noise', text: () => filled(mapOf('HERE'), 'q9+/Zgx;,DFh', 100_000), status: 422 },
  { name: 'a negative column', text: one(mapOf('AAAA,DAAA')), status: 422 },
  { name: 'a negative original column', text: one(mapOf('AAAD')), status: 422 },
  { name: 'a negative line', text: one(mapOf('AADA')), status: 422 },
  { name: 'a negative source', text: one(mapOf('ADAA')), status: 422 },
  { name: 'a negative name', text: one(mapOf('AAAAD')), status: 422 },
  { name: 'a missing source index', text: one(mapOf('ACAA')), status: 422 },
  { name: 'a missing name index', text: one(mapOf('AAAAE')), status: 422 },
  { name: '20 MB of semicolons', text: () => filled(mapOf('HEREAAAA'), ';', 20 * megabyte), status: 201 },
  { name: '20 MB of commas', text: () => filled(mapOf('HEREAAAA'), ',', 20 * megabyte), status: 201 },
  { name: 'a position two billion columns out', text: one(mapOf('AAAA,+/////DAAA')), status: 201 },
  { name: 'a million mappings of one position', text: () => filled(mapOf('HERE'), 'AAAA,', megabyte), status: 201 },
  // Sources on which a JavaScript parser recurses. The server parses them to find the function names of frames.
  ...[
    ['a.js', '`${', 5_000],
    ['a.js', '`${', 2_000],
    ['a.js', '`${', 50_000],
    ['a.js', '(', 1_000_000],
    ['a.tsx', '<a>{', 300_000],
    ['a.ts', 'let a: A<', 100_000],
    ['a.vue', '<script>`${', 10_000],
  ].map(([source, piece, times]) => ({
    name: `${times} times ${piece} in ${source}`,
    text: () => filled(mapOf('AAAA', { sources: [source], sourcesContent: ['HERE'] }), String(piece), Number(times)),
    status: 201 as const,
  })),
  // Shape.
  { name: '100,000 sources', text: () => manySources(100_000), status: 201 },
  { name: '100,001 sources', text: () => manySources(100_001), status: 422 },
  { name: 'a million sources', text: () => manySources(megabyte), status: 422 },
  { name: 'sources that are numbers', text: one(mapOf('AAAA', { sources: [1, {}, []] })), status: 422 },
  { name: 'null sources', text: one(mapOf('AAAA', { sources: [null, null] })), status: 201 },
  { name: 'contents without sources', text: one(mapOf('', { sources: [], sourcesContent: ['a', 'b'] })), status: 201 },
  { name: 'mappings that are a number', text: one(mapOf('').replace('""', '5')), status: 422 },
  { name: 'duplicate mappings', text: one(mapOf('AAAA').replace('"names"', '"mappings":"AACA","names"')), status: 422 },
  { name: '__proto__ instead of a map', text: one(`{"__proto__":${mapOf('AAAA')}}`), status: 422 },
  { name: 'version 4', text: one(mapOf('AAAA', { version: 4 })), status: 422 },
  {
    name: 'an ignore list of missing sources',
    text: one(mapOf('AAAA', { ignoreList: [7, -1, 1e300] })),
    status: 201,
  },
  {
    name: 'a sourceRoot with parent folders',
    text: one(mapOf('AAAA', { sourceRoot: '../'.repeat(1_000) })),
    status: 201,
  },
  {
    name: 'a sourceRoot that is a script',
    text: one(mapOf('AAAA', { sourceRoot: 'javascript:alert(1)//' })),
    status: 201,
  },
  // Depth and length.
  {
    name: '5,000 levels of sections',
    text: one(
      `${'{"version":3,"sections":[{"offset":{"line":0,"column":0},"map":'.repeat(5_000)}${mapOf('AAAA')}${'}]}'.repeat(5_000)}`,
    ),
    status: 422,
  },
  { name: 'a million open brackets', text: () => filled(`{"version":3,"x":HERE`, '[', megabyte), status: 422 },
  {
    name: '100,000 levels in an unknown field',
    text: one(mapOf('AAAA').replace('"names"', `"x":${nested(100_000, '[', ']')},"names"`)),
    status: 422,
  },
  {
    name: 'a text that never ends',
    text: () => filled('{"version":3,"mappings":"HERE', 'A', 5 * megabyte),
    status: 422,
  },
  { name: 'a name of 5 MB', text: () => filled(mapOf('AAAA', { sources: ['HERE'] }), 'a', 5 * megabyte), status: 201 },
  {
    name: 'a line of 5 MB',
    text: () => filled(mapOf('AAAA', { sourcesContent: ['HERE'] }), 'a', 5 * megabyte),
    status: 201,
  },
  {
    name: 'five million lines',
    text: () => filled(mapOf('AAAA', { sourcesContent: ['HERE'] }), '\\n', 5 * megabyte),
    status: 201,
  },
  {
    name: 'only escape sequences',
    text: () => filled(mapOf('AAAA', { sourcesContent: ['HERE'] }), '\\ud800', megabyte),
    status: 201,
  },
  // Sections.
  {
    name: 'sections that go backwards',
    text: one(`{"version":3,"sections":[${section(5, mapOf('AAAA'))},${section(1, mapOf('AAAA'))}]}`),
    status: 422,
  },
  {
    name: 'twelve sections of 100,000 empty contents',
    text: () => fullSections(12, '"sourcesContent":[HEREnull]', '"",', 99_999),
    status: 422,
  },
  {
    name: 'twelve sections that ignore 100,000 sources',
    text: () => fullSections(12, '"ignoreList":[HERE0]', '99999,', 99_999),
    status: 422,
  },
  {
    name: '100,000 empty contents',
    text: () => filled(mapOf('', { sources: [] }).replace('}', ',"sourcesContent":[HEREnull]}'), '"",', 99_999),
    status: 201,
  },
  {
    name: 'a section at a negative line',
    text: one(`{"version":3,"sections":[${section(-1, mapOf('AAAA'))}]}`),
    status: 422,
  },
  {
    name: 'a section beyond the safe integers',
    text: one(`{"version":3,"sections":[${section(1e300, mapOf('AAAA'))}]}`),
    status: 422,
  },
  {
    name: 'a section with a URL instead of a map',
    text: one('{"version":3,"sections":[{"offset":{"line":0,"column":0},"url":"http://169.254.169.254/"}]}'),
    status: 422,
  },
  {
    name: '10,000 sections',
    text: one(
      `{"version":3,"sections":[${Array.from({ length: 10_000 }, (_, line) => section(line, mapOf('AAAA'))).join(',')}]}`,
    ),
    status: 201,
  },
  {
    name: '10,001 sections',
    text: one(
      `{"version":3,"sections":[${Array.from({ length: 10_001 }, (_, line) => section(line, mapOf('AAAA'))).join(',')}]}`,
    ),
    status: 422,
  },
];
