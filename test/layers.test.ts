import { existsSync, readdirSync, readFileSync } from 'node:fs';
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
  'html',
  'time',
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
  'store/structures',
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
  'storage/postgres',
  'storage/sqlite',
  'storage',
  'jobs',
  'credentials',
  'teams',
  'limits',
  'uploads',
  'payment-providers',
  'outgoing',
  'symbolication/workers',
  'symbolication/functions',
  'symbolication/map-index',
  'symbolication/indexing',
  'symbolication',
  'stream',
  'services.ts',
  'mails',
  'recipients',
  'docs',
  'accounts',
  'projects',
  'teams/deletion',
  'source-maps',
  'grouping',
  'groups',
  'explain',
  'billing',
  'notify/channels',
  'notify',
  'ingest',
  'sentry-intake',
  'sentry-uploads',
  'metrics',
  'background.ts',
  'http',
  'receive',
  'routes',
  'app.ts',
  'http-server',
  'cluster',
  'commands',
  'process',
  'cli.ts',
  'index.ts',
];

/** Layers, lowest first. A file belongs to the first layer whose pattern matches its path. */
type Layers = [name: string, files: RegExp][];

const serverLayers: Layers = serverRooms.map((room) => [
  room,
  new RegExp(room.endsWith('.ts') ? `^${room.replace('.', String.raw`\.`)}$` : `^${room}/[^/]+$`),
]);

/** The layers of the SDK: the core imports no instrument. */
const browserLayers: Layers = [
  ['core', /^(?!(init|pipeline|create-client|index|errors)\.ts)[^/]+\.ts$/],
  ['adapters', /^(angular|loader|nuxt|react|solid|svelte|sveltekit|vue)\//],
  ['instruments', /^(instruments|integrations)\//],
  ['init', /^(init|pipeline|create-client)\.ts$/],
  ['entry', /^(index|errors)\.ts$/],
];

/** The layers of the dashboard. A screen may import what all screens share, and no screen of a later layer. */
const dashboardLayers: Layers = [
  ['ground', /^(product-name|server-facts)\.ts$|^styles\//],
  ['format', /^format\//],
  ['router', /^router\//],
  ['live', /^live\//],
  ['api', /^api\//],
  ['components', /^components\//],
  ['forms', /^forms\//],
  ['shortcuts', /^shortcuts\//],
  ['session', /^session\//],
  ['shell', /^shell\//],
  ['sign-in', /^screens\/sign-in\//],
  ['start', /^screens\/start\//],
  ['filter', /^screens\/filter\//],
  // One script, which is not part of the first load.
  [
    'lazy script',
    /^screens\/((no-matches|reports|grouping|projects|team|account|usage)\/|lazy-(script|screen)\.tsx?$)/,
  ],
  ['groups', /^screens\/groups\//],
  ['group', /^screens\/group\//],
  ['app', /^app\.tsx$/],
  ['entry', /^main\.tsx$/],
];

/** Imported modules, and the only files of the server that may import them. */
const importers: [module: RegExp, files: RegExp][] = [
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
  [/^bowser$/, /^ingest\//],
  [/^citty$/, /^commands\//],
  [/^@service\/protocol\/operations$/, /^docs\//],
  [/^node:(child_process|worker_threads)$/, /^symbolication\//],
  [/^node:fs/, /^(storage|uploads|commands|package-files|outgoing|routes)\/|^config\.ts$/],
  [/^node:(dns|tls)/, /^outgoing\//],
  [/^node:(net$|http)/, /^(storage|commands|proxies|outgoing|notify|http|receive|http-server|cluster)\/|^cli\.ts$/],
];

interface Import {
  module: string;
  typesOnly: boolean;
  /** An `import()`, which loads the module on first use. */
  isDynamic: boolean;
}

/** Returns every import of a file: static, dynamic, and types such as `import('./a.ts').A`. */
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
      imports.push({ module: node.moduleSpecifier.text, typesOnly, isDynamic: false });
    }
    const [argument] =
      ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword ? node.arguments : [];
    if (argument && ts.isStringLiteralLike(argument))
      imports.push({ module: argument.text, typesOnly: false, isDynamic: true });
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal))
      imports.push({ module: node.argument.literal.text, typesOnly: true, isDynamic: false });
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest));
  return imports;
}

/** Returns the files of a package with their imports. Relative imports become paths inside `src`. */
function readSources(name: string): Map<string, Import[]> {
  let sources = sourcesByPackage.get(name);
  if (!sources) sourcesByPackage.set(name, (sources = readFolder(join(packages, name, 'src'))));
  return sources;
}

const sourcesByPackage = new Map<string, Map<string, Import[]>>();

function readFolder(folder: string): Map<string, Import[]> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.[cm]?[jt]sx?$/.test(file) && !file.includes('node_modules'),
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

function backEdges(sources: Map<string, Import[]>, layers: Layers): string[] {
  const layerOf = (file: string): number => layers.findIndex(([, files]) => files.test(file));
  const found: string[] = [];
  for (const [file, imports] of sources) {
    if (layerOf(file) < 0)
      found.push(`${file} has no room: add its folder to this test and a section to ARCHITECTURE.md`);
    for (const { module } of imports) {
      if (module.startsWith('./') && layerOf(module.slice(2)) > layerOf(file))
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
  ['server', serverLayers],
  ['browser', browserLayers],
  ['dashboard', dashboardLayers],
  ['protocol', [['protocol', /./]] as Layers],
])('%s', (name, layers) => {
  const sources = readSources(name);

  test('a file imports no file of a higher layer, types included', () => {
    expect(backEdges(sources, layers)).toEqual([]);
  });

  test('the files import each other without cycles, types included', () => {
    expect(cycles(sources)).toEqual([]);
  });

  // A path such as `./a.js`, which TypeScript reads as `./a.ts`, would hide an edge from the tests above.
  test('each relative import names an existing file of the package', () => {
    const strangers = [...sources].flatMap(([file, imports]) =>
      imports
        .filter(({ module }) => module.startsWith('./'))
        .filter(({ module }) => module.startsWith('./..') || !existsSync(join(packages, name, 'src', module)))
        .map(({ module }) => `${file}: ${module}`),
    );
    expect(strangers).toEqual([]);
  });
});

test('the tests of the server are in rooms like those of its sources', () => {
  const folders = readdirSync(join(packages, 'server/test'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name);
  const rooms = new Set(serverRooms.map((room) => room.split('/')[0]));
  // The first attacks the whole server, the last opens what earlier servers stored.
  expect(folders.filter((folder) => !rooms.has(folder))).toEqual(['hostile', 'test-utils', 'upgrade']);
});

test.each(['test', 'setup', 'packages/browser/test', 'packages/server/test'])(
  'the files in %s import each other without cycles, types included',
  (folder) => {
    expect(cycles(readFolder(join(packages, '..', folder)))).toEqual([]);
  },
);

test('finds an import of a higher layer, a cycle and a file without a room', () => {
  const imports = (module: string): Import[] => [{ module, typesOnly: true, isDynamic: false }];
  const up = new Map([['store/a.ts', imports('./http/b.ts')]]);
  expect(backEdges(up, serverLayers)).toEqual(['store/a.ts imports http/b.ts']);
  const cycle = new Map([
    ['a.ts', imports('./b.ts')],
    ['b.ts', imports('./a.ts')],
  ]);
  expect(cycles(cycle)).toEqual(['a.ts → b.ts → a.ts']);
  expect(backEdges(new Map([['unknown/x.ts', []]]), serverLayers)).toHaveLength(1);
});

describe('who may import what', () => {
  test('the protocol imports zod and nothing else', () => {
    expect(foreign(readSources('protocol')).filter(([, { module }]) => module !== 'zod')).toEqual([]);
  });

  test('the SDK imports nothing at run time but the framework of an adapter, and of the protocol only types', () => {
    const strangers = foreign(readSources('browser')).filter(
      ([file, { module, typesOnly }]) =>
        !(module === '@service/protocol' && typesOnly) &&
        !(['react', 'vue'].includes(module) && file.startsWith(`${module}/`)) &&
        // The plugin imports a module that Nuxt generates for an app, and the package by its name, like the app.
        !(['#imports', '@service/browser'].includes(module) && file === 'nuxt/nuxt-plugin.ts'),
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

  test('an adapter is imported by no other part of the SDK', () => {
    const adapter = /^(angular|loader|nuxt|react|solid|svelte|sveltekit|vue)\//;
    const edges = [...readSources('browser')].flatMap(([file, imports]) =>
      imports
        .map(({ module }): [string, string] => [file, module.slice(2)])
        .filter(([, module]) => adapter.test(module)),
    );
    const strangers = edges.filter(([file, module]) => adapter.exec(file)?.[1] !== adapter.exec(module)?.[1]);
    expect(strangers).toEqual([]);
  });

  test.each(importers)('%s is imported only by %s', (module, files) => {
    const strangers = foreign(readSources('server')).filter(
      ([file, found]) => module.test(found.module) && !files.test(file),
    );
    expect(strangers.map(([file, found]) => `${file} imports ${found.module}`)).toEqual([]);
  });

  test('stack/ and fingerprint/ import only the protocol and node:crypto', () => {
    const strangers = foreign(readSources('server')).filter(
      ([file, { module }]) =>
        /^(stack|fingerprint)\//.test(file) && !['@service/protocol', 'node:crypto'].includes(module),
    );
    expect(strangers).toEqual([]);
  });

  test('stack/ and fingerprint/ read no clock and nothing random', () => {
    const impure = /\bDate\.now|\bnew Date\b|\bperformance\.|\bMath\.random|\bset(?:Timeout|Interval)\b|\bprocess\./;
    const strangers = [...readSources('server').keys()].filter(
      (file) =>
        /^(stack|fingerprint)\//.test(file) && impure.test(readFileSync(join(packages, 'server/src', file), 'utf8')),
    );
    expect(strangers).toEqual([]);
  });

  test('of the workspace, the server imports the protocol only', () => {
    const strangers = foreign(readSources('server')).filter(
      ([, { module }]) => module.startsWith('@service/') && !module.startsWith('@service/protocol'),
    );
    expect(strangers).toEqual([]);
  });

  test('a server that has served no documentation has not loaded its texts', () => {
    const sources = readSources('server');
    const loaded = new Set<string>();
    const load = (file: string): void => {
      if (loaded.has(file)) return;
      loaded.add(file);
      for (const { module, typesOnly, isDynamic } of sources.get(file) ?? []) {
        // A dynamic import is not followed. That of `start-app.ts` runs at each start, so the file is listed below.
        if (!typesOnly && !isDynamic) load(module.startsWith('./') ? module.slice(2) : module);
      }
    };
    for (const file of ['cli.ts', 'index.ts', 'app.ts', 'http-server/start-app.ts']) {
      expect(sources.has(file)).toBe(true);
      load(file);
    }
    expect([...loaded]).toContain('routes/docs.ts');
    expect([...loaded]).not.toContain('@service/protocol/operations');
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
    const files = [
      'api-client',
      'browser',
      'bundler-plugin',
      'cli',
      'dashboard',
      'protocol',
      'server',
      'source-maps',
    ].flatMap((name) =>
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
