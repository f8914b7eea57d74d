import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

const packages = fileURLToPath(new URL('../packages', import.meta.url));

/**
 * The rooms of the server, lowest first. A room is a folder, without its subfolders, or a file directly in `src`.
 * A file may import from its own room and from the rooms before it.
 */
const serverRooms = [
  'problem.ts',
  'text',
  'validation',
  'cache',
  'scrub',
  'observability',
  'package-files',
  'stack',
  'report',
  'fingerprint',
  'retention',
  'store/records',
  'store/codec',
  'store/model',
  'store/log',
  'store/backup',
  'store',
  'plans',
  'proxies',
  'origins',
  'config.ts',
  'storage/file',
  'storage/unstorage',
  'storage/redis',
  'storage/sqlite',
  'storage',
  'jobs',
  'credentials',
  'payment-providers',
  'outgoing',
  'symbolication/functions',
  'symbolication/map-index',
  'symbolication',
  'stream',
  'services.ts',
  'docs',
  'accounts',
  'projects',
  'source-maps',
  'grouping',
  'groups',
  'explain',
  'billing',
  'notify/channels',
  'notify',
  'ingest',
  'metrics',
  'background.ts',
  'http',
  'routes',
  'app.ts',
  'http-server',
  'commands',
  'cli.ts',
  'index.ts',
];

const serverFloors = serverRooms.map((room): [name: string, files: RegExp] => [
  room,
  new RegExp(room.endsWith('.ts') ? `^${room.replace('.', String.raw`\.`)}$` : `^${room}/[^/]+$`),
]);

/** The floors of the SDK: the core imports no instrument. */
const browserFloors: [name: string, files: RegExp][] = [
  ['core', /^(?!init\.ts|index\.ts|errors\.ts)[^/]+\.ts$/],
  ['adapters', /^(react|vue|svelte|loader)\//],
  ['instruments', /^instruments\//],
  ['init', /^init\.ts$/],
  ['entry', /^(index|errors)\.ts$/],
];

/** The rooms of the dashboard. A screen may import what all screens share, and no screen of a later floor. */
const dashboardFloors: [name: string, files: RegExp][] = [
  ['ground', /^product-name\.ts$|^styles\//],
  ['router', /^router\//],
  ['live', /^live\//],
  ['api', /^api\//],
  ['components', /^components\//],
  ['shortcuts', /^shortcuts\//],
  ['session', /^session\//],
  ['shell', /^shell\//],
  ['sign-in', /^screens\/sign-in\//],
  ['start', /^screens\/start\//],
  // One script, which is not part of the first load.
  ['administration', /^screens\/((projects|team|account|usage)\/|(administration|lazy-screen)\.tsx?$)/],
  ['groups', /^screens\/groups\//],
  ['group', /^screens\/group\//],
  ['app', /^app\.tsx$/],
  ['entry', /^main\.tsx$/],
];

/** Packages from elsewhere, and the only files that may know them. */
const neighbours: [module: RegExp, files: RegExp][] = [
  [/^h3$/, /^(http|http-server|routes)\/|^(app|index)\.ts$/],
  [/^unstorage/, /^storage\//],
  [/^source-map$/, /^symbolication\//],
  [/^acorn$|acorn-typescript$/, /^symbolication\/functions\//],
  [/^pino$/, /^(observability|symbolication|http)\/|^services\.ts$/],
  [/^prom-client$/, /^metrics\//],
  [/^nodemailer$/, /^outgoing\//],
  [/^jose$/, /^credentials\//],
  [/^@fastify\/busboy$/, /^http\//],
  [/^stripe$/, /^payment-providers\//],
  [/^node:child_process$/, /^(symbolication|commands)\//],
  [
    /^node:fs|^node:net|^node:http/,
    /^(storage|commands|package-files|proxies|outgoing|notify|http|http-server|routes)\/|^(cli|config)\.ts$/,
  ],
];

interface Import {
  module: string;
  typesOnly: boolean;
}

/** Every import of a file, types and dynamic ones too. */
function importsOf(path: string): Import[] {
  const imports: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (
      (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) &&
      node.moduleSpecifier &&
      ts.isStringLiteral(node.moduleSpecifier)
    ) {
      const typesOnly = ts.isImportDeclaration(node)
        ? node.importClause?.phaseModifier === ts.SyntaxKind.TypeKeyword
        : node.isTypeOnly;
      imports.push({ module: node.moduleSpecifier.text, typesOnly });
    }
    const [argument] =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments : [];
    if (argument && ts.isStringLiteral(argument)) imports.push({ module: argument.text, typesOnly: false });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest));
  return imports;
}

/** Reads the files of a package with their imports. Relative imports become paths inside `src`. */
function readSources(name: string): Map<string, Import[]> {
  return readFolder(join(packages, name, 'src'));
}

function readFolder(folder: string): Map<string, Import[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !file.includes('node_modules'),
  );
  return new Map(
    files.map((file) => [
      file,
      importsOf(join(folder, file)).map((found) => ({
        ...found,
        module: found.module.startsWith('.')
          ? `./${relative(folder, resolve(folder, dirname(file), found.module))}`
          : found.module,
      })),
    ]),
  );
}

function backEdges(sources: Map<string, Import[]>, floors: typeof serverFloors): string[] {
  const floorOf = (file: string): number => floors.findIndex(([, files]) => files.test(file));
  const found: string[] = [];
  for (const [file, imports] of sources) {
    if (floorOf(file) < 0)
      found.push(`${file} has no room: add its folder to this test and a section to ARCHITECTURE.md`);
    for (const { module } of imports) {
      if (module.startsWith('./') && floorOf(module.slice(2)) > floorOf(file))
        found.push(`${file} imports ${module.slice(2)}`);
    }
  }
  return found;
}

function cycles(sources: Map<string, Import[]>): string[] {
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, path: string[]): void => {
    if (path.includes(file)) return void found.push([...path.slice(path.indexOf(file)), file].join(' → '));
    if (done.has(file)) return;
    for (const { module } of sources.get(file) ?? [])
      if (module.startsWith('./')) walk(module.slice(2), [...path, file]);
    done.add(file);
  };
  for (const file of sources.keys()) walk(file, []);
  return found;
}

function foreign(sources: Map<string, Import[]>): [file: string, found: Import][] {
  return [...sources].flatMap(([file, imports]) =>
    imports.filter(({ module }) => !module.startsWith('./')).map((found): [string, Import] => [file, found]),
  );
}

describe.each([
  ['server', serverFloors],
  ['browser', browserFloors],
  ['dashboard', dashboardFloors],
  ['protocol', [['protocol', /./]] as typeof serverFloors],
])('%s', (name, floors) => {
  const sources = readSources(name);

  test('imports go down, never up, types included', () => {
    expect(backEdges(sources, floors)).toEqual([]);
  });

  test('no imports go in a circle, types included', () => {
    expect(cycles(sources)).toEqual([]);
  });

  test('no import leaves the package but by its name', () => {
    const outside = [...sources].flatMap(([file, imports]) =>
      imports.filter(({ module }) => module.startsWith('./..')).map(({ module }) => `${file}: ${module}`),
    );
    expect(outside).toEqual([]);
  });
});

test.each([
  'test/anomalies',
  'test/test-utils',
  'test/contract',
  'test/browsers',
  'test/dashboard',
  'test/e2e',
  'packages/browser/test',
  'packages/server/test',
])('the files in %s import each other without cycles, types included', (folder) => {
  expect(cycles(readFolder(join(packages, '..', folder)))).toEqual([]);
});

test('a back edge and a circle would be found', () => {
  const up = new Map([['store/a.ts', [{ module: './http/b.ts', typesOnly: true }]]]);
  expect(backEdges(up, serverFloors)).toEqual(['store/a.ts imports http/b.ts']);
  const round = new Map([
    ['a.ts', [{ module: './b.ts', typesOnly: true }]],
    ['b.ts', [{ module: './a.ts', typesOnly: true }]],
  ]);
  expect(cycles(round)).toEqual(['a.ts → b.ts → a.ts']);
  expect(backEdges(new Map([['unknown/x.ts', []]]), serverFloors)).toHaveLength(1);
});

describe('who knows whom', () => {
  test('the protocol knows zod and nothing else', () => {
    expect(foreign(readSources('protocol')).filter(([, { module }]) => module !== 'zod')).toEqual([]);
  });

  test('the SDK imports nothing at run time, and of the protocol only types; an adapter knows its framework and the core', () => {
    const strangers = foreign(readSources('browser')).filter(
      ([file, { module, typesOnly }]) =>
        !(module === '@service/protocol' && typesOnly) &&
        !(['react', 'vue'].includes(module) && file.startsWith(`${module}/`)),
    );
    expect(strangers).toEqual([]);
  });

  test('the dashboard imports Preact and its signals, and of the protocol only types', () => {
    const strangers = foreign(readSources('dashboard')).filter(
      ([, { module, typesOnly }]) =>
        !(module === '@service/protocol' && typesOnly) && !/^(preact(\/hooks)?|@preact\/signals)$/.test(module),
    );
    expect(strangers).toEqual([]);
  });

  test('the core has never heard of an adapter, and no adapter of another', () => {
    const adapter = /^(react|vue|svelte|loader)\//;
    const edges = [...readSources('browser')].flatMap(([file, imports]) =>
      imports
        .map(({ module }): [string, string] => [file, module.slice(2)])
        .filter(([, module]) => adapter.test(module)),
    );
    const strangers = edges.filter(([file, module]) => adapter.exec(file)?.[1] !== adapter.exec(module)?.[1]);
    expect(strangers).toEqual([]);
  });

  test.each(neighbours)('%s is known to its neighbours only', (module, files) => {
    const strangers = foreign(readSources('server')).filter(
      ([file, found]) => module.test(found.module) && !files.test(file),
    );
    expect(strangers.map(([file, found]) => `${file} imports ${found.module}`)).toEqual([]);
  });

  test('stacks and fingerprints are pure: they know the protocol, and hashing', () => {
    const strangers = foreign(readSources('server')).filter(
      ([file, { module }]) =>
        /^(stack|fingerprint)\//.test(file) && !['@service/protocol', 'node:crypto'].includes(module),
    );
    expect(strangers).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const text = readFileSync(fileURLToPath(new URL('../ARCHITECTURE.md', import.meta.url)), 'utf8');

  test('has a section for each room of the server, in the order of the layers', () => {
    const sections = [...text.matchAll(/^#### `([^`]+?)\/?`$/gm)].map(([, room]) => room);
    // Subfolders are described in the section of their folder.
    const rooms = serverRooms.map((room) => room.split('/')[0]);
    expect(sections).toEqual([...new Set(rooms)].filter((room) => room !== undefined));
  });

  test('names files that exist', () => {
    const names = [...text.matchAll(/`([\w./-]+\.(?:ts|mjs))`/g)].map(([, name = '']) => name);
    const files = ['browser', 'dashboard', 'protocol', 'server'].flatMap((name) =>
      readdirSync(join(packages, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => !file.includes('node_modules'))
        .map((file) => `${name}/${file}`),
    );
    const top = readdirSync(fileURLToPath(new URL('.', import.meta.url))).map((file) => `test/${file}`);
    expect(names.filter((name) => ![...files, ...top].some((file) => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
  });

  test('keeps its lines short', () => {
    expect(text.split('\n').filter((line) => line.length > 120 && !/^[ |]/.test(line))).toEqual([]);
  });
});
