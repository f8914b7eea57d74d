import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ListedSourceMap, Page, PositionResolution } from '@service/protocol';
import { createService, type Service } from '@service/server';
import { build as buildWithEsbuild, type BuildOptions } from 'esbuild';
import { rolldown } from 'rolldown';
import { rollup, type OutputOptions } from 'rollup';
import webpack, { type Configuration } from 'webpack';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { ServicePluginOptions } from '../src/options.ts';
import { service as esbuildPlugin } from '../src/esbuild.ts';
import { service as rolldownPlugin } from '../src/rolldown.ts';
import { service as rollupPlugin } from '../src/rollup.ts';
import { service as webpackPlugin } from '../src/webpack.ts';

const token = 'test-admin-token-0123456789';
const code =
  "import { second } from './second.js';\nexport function first(cart) {\n  if (!cart) throw new Error('FIRST');\n  return second(cart);\n}\nglobalThis.first = first;\n";
const imported =
  "export function second(cart) {\n  if (!cart.items) throw new Error('SECOND');\n  return cart.items.length;\n}\n";
let service: Service;
let endpoint: string;
let root: string;
let options: ServicePluginOptions;
let projectId: number;

beforeAll(async () => {
  service = await createService({ storage: 'memory:', adminToken: token, port: 0, logLevel: 'silent' });
  ({ url: endpoint } = await service.listen());
});

afterAll(() => service.close());

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'map-files-'));
  await writeFile(join(root, 'main.js'), code);
  await writeFile(join(root, 'second.js'), imported);
  await writeFile(join(root, 'style.css'), '/* a note */\nbody { color: red }\n');
  ({ id: projectId } = await service.createProject({ name: root }));
  options = { endpoint, token, project: String(projectId), release: 'shop 7', strict: true };
});

afterEach(() => rm(root, { recursive: true }));

async function api<Body>(path: string): Promise<Body> {
  const response = await fetch(`${endpoint}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return (await response.json()) as Body;
}

/** Returns the files of the output, without folders. */
async function outputFiles(): Promise<string[]> {
  const entries = await readdir(join(root, 'dist'), { recursive: true, withFileTypes: true });
  return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).toSorted();
}

/** The positions of a script with a release whose map was uploaded, and is found by the debug id of the script. */
const proven = { hasRelease: true, isUploaded: true, FIRST: 'main.js:3', SECOND: 'second.js:2' };

/** Lets the server resolve positions of the main script by its debug id. */
async function resolveMain(): Promise<Partial<typeof proven>> {
  const script = await readFile(join(root, 'dist/main.js'), 'utf8');
  const [, debugId = ''] = /^\/\/# debugId=(\S+)$/m.exec(script) ?? [];
  const resolve = async (message: string): Promise<string> => {
    const before = script.slice(0, script.indexOf(message)).split('\n');
    const query = new URLSearchParams({
      file: 'https://any.invalid/renamed.js',
      line: String(before.length),
      column: String(before.at(-1)?.length),
      debug_id: debugId,
    });
    const { original } = await api<PositionResolution>(`/projects/${projectId}/resolution?${query}`);
    return `${original?.file.split('/').at(-1)}:${original?.line}`;
  };
  const maps = await api<Page<ListedSourceMap>>(`/projects/${projectId}/source-maps`);
  return {
    hasRelease: script.includes('__serviceRelease="shop 7"'),
    isUploaded: maps.items.length === 1 && maps.items[0]?.debug_id === debugId,
    FIRST: await resolve('FIRST'),
    SECOND: await resolve('SECOND'),
  };
}

async function buildWithRollup(output: OutputOptions): Promise<void> {
  const bundle = await rollup({ input: join(root, 'main.js'), plugins: [rollupPlugin(options)] });
  await bundle.write({ dir: join(root, 'dist'), ...output });
  await bundle.close();
}

async function buildWithRolldown(output: { sourcemap?: 'inline'; sourcemapFileNames?: string }): Promise<void> {
  const bundle = await rolldown({ input: join(root, 'main.js'), plugins: [rolldownPlugin(options)] });
  await bundle.write({ dir: join(root, 'dist'), minify: true, ...output });
  await bundle.close();
}

function buildWithWebpack(configuration: Configuration): Promise<void> {
  const { output, plugins = [], ...others } = configuration;
  return new Promise((resolve, reject) => {
    webpack(
      {
        mode: 'production',
        context: root,
        entry: './main.js',
        output: { path: join(root, 'dist'), filename: 'main.js', ...output },
        plugins: [...plugins, webpackPlugin(options)],
        ...others,
      },
      (error, stats) => {
        if (error) reject(error);
        else if (stats?.hasErrors()) reject(new Error(stats.toString()));
        else resolve();
      },
    );
  });
}

async function build(settings: BuildOptions): Promise<void> {
  await buildWithEsbuild({
    absWorkingDir: root,
    entryPoints: ['main.js'],
    outdir: 'dist',
    bundle: true,
    minify: true,
    logLevel: 'error',
    plugins: [esbuildPlugin(options)],
    ...settings,
  });
}

describe('a script that contains its map gets a debug id, and its positions stay right', () => {
  test('with Rollup', async () => {
    await buildWithRollup({ sourcemap: 'inline', compact: true });
    expect(await resolveMain()).toEqual(proven);
  });

  test('with Rolldown', async () => {
    await buildWithRolldown({ sourcemap: 'inline' });
    expect(await resolveMain()).toEqual(proven);
  });

  test('with webpack', async () => {
    await buildWithWebpack({ devtool: 'inline-source-map' });
    expect(await resolveMain()).toEqual(proven);
  });

  test('without a token, only the release is added', async () => {
    options = { token: '', release: 'shop 7' };
    await buildWithRollup({ sourcemap: 'inline' });
    const script = await readFile(join(root, 'dist/main.js'), 'utf8');
    expect(script).toContain('__serviceRelease="shop 7"');
    expect(script).not.toContain('debugId');
    expect(script.match(/sourceMappingURL=/g)).toHaveLength(1);
  });
});

describe('a map with a name of the configuration is uploaded, and removed if the plugin has switched it on', () => {
  test('with Rollup', async () => {
    await buildWithRollup({ sourcemapFileNames: 'maps/[name]-[hash].map' });
    expect(await resolveMain()).toEqual(proven);
    expect(await outputFiles()).toEqual(['main.js']);
  });

  test('with Rolldown', async () => {
    await buildWithRolldown({ sourcemapFileNames: 'maps/[name]-[hash].map' });
    expect(await resolveMain()).toEqual(proven);
    expect(await outputFiles()).toEqual(['main.js']);
  });

  test('with webpack', async () => {
    await buildWithWebpack({ output: { sourceMapFilename: 'maps/[file].map[query]' } });
    expect(await resolveMain()).toEqual(proven);
    expect(await outputFiles()).toEqual(['main.js']);
  });
});

test.each([
  ['rollup', true],
  ['rollup', 'hidden'],
  ['rolldown', true],
  ['rolldown', 'hidden'],
] as const)('%s: the maps of an output that has them stay (%s)', async (bundler, sourcemap) => {
  const input = join(root, 'main.js');
  const bundle =
    bundler === 'rollup'
      ? await rollup({ input, plugins: [rollupPlugin(options)] })
      : await rolldown({ input, plugins: [rolldownPlugin(options)] });
  for (const name of ['own', 'user'])
    await bundle.write({
      dir: join(root, 'dist'),
      entryFileNames: `${name}.js`,
      sourcemap: name === 'user' && sourcemap,
    });
  await bundle.close();
  expect(await outputFiles()).toEqual(['own.js', 'user.js', 'user.js.map']);
});

test('with webpack, a script with a query in its name gets the release and a debug id', async () => {
  await buildWithWebpack({ output: { filename: '[name].js?v=[contenthash]' } });
  expect(await resolveMain()).toEqual(proven);
  expect(await outputFiles()).toEqual(['main.js']);
});

test('with webpack, the maps of SourceMapDevToolPlugin are those of the user', async () => {
  const maps = new webpack.SourceMapDevToolPlugin({ filename: 'maps/[file].map', append: false });
  await buildWithWebpack({ devtool: false, plugins: [maps] });
  expect(await resolveMain()).toEqual(proven);
  expect(await outputFiles()).toEqual(['main.js', 'main.js.map']);
});

test.each([
  ['SourceMapDevToolPlugin for stylesheets', new webpack.SourceMapDevToolPlugin({ test: /\.css$/ })],
  ['EvalSourceMapDevToolPlugin', new webpack.EvalSourceMapDevToolPlugin({})],
])('with webpack and %s, one line says that no script has a map', async (_, maps) => {
  const warn = vi.spyOn(console, 'warn').mockReturnValue();
  try {
    await buildWithWebpack({ devtool: false, plugins: [maps] });
    expect(warn.mock.calls.join('\n')).toBe(
      '[service] No script has a source map, so nothing is uploaded. Let SourceMapDevToolPlugin write the maps of scripts.',
    );
  } finally {
    warn.mockRestore();
  }
});

describe('with webpack, another script that contains its map stays unchanged', () => {
  const map = Buffer.from('{"version":3, "sources":["a.ts"],"names":[],"mappings":"AAAA"}').toString('base64');
  const copied = `go();\n//# sourceMappingURL=data:application/json;base64,${map}`;

  /** Builds with a plugin that adds the script, which webpack does not minify again. */
  async function buildWith(info: { copied?: boolean }): Promise<void> {
    const adder = {
      apply: ({ hooks }: webpack.Compiler): void =>
        hooks.thisCompilation.tap('adder', (compilation) =>
          compilation.hooks.processAssets.tap('adder', () =>
            compilation.emitAsset('copied.js', new webpack.sources.RawSource(copied), { minimized: true, ...info }),
          ),
        ),
    };
    await buildWithWebpack({ plugins: [adder] });
  }

  test('without a token', async () => {
    options = { token: '', release: 'shop 7' };
    await buildWith({});
    expect(await readFile(join(root, 'dist/copied.js'), 'utf8')).toBe(copied);
  });

  test('if it was copied', async () => {
    options.removeMaps = true;
    await buildWith({ copied: true });
    expect(await readFile(join(root, 'dist/copied.js'), 'utf8')).toBe(copied);
    expect(await resolveMain()).toEqual(proven);
  });
});

describe('the maps of stylesheets are removed with those of scripts', () => {
  test('if the plugin has switched them on', async () => {
    await build({ entryPoints: ['main.js', 'style.css'] });
    expect(await resolveMain()).toEqual(proven);
    expect(await outputFiles()).toEqual(['main.js', 'style.css']);
  });

  test.each(['linked', 'inline', 'both'] as const)('if removeMaps is set and they are %s', async (sourcemap) => {
    options.removeMaps = true;
    await build({ entryPoints: ['main.js', 'style.css'], sourcemap });
    expect(await resolveMain()).toEqual(proven);
    expect(await outputFiles()).toEqual(['main.js', 'style.css']);
    expect(await readFile(join(root, 'dist/style.css'), 'utf8')).not.toContain('sourceMappingURL');
  });

  test('but stay if the upload fails', async () => {
    options.token = 'wrong';
    const built = build({ entryPoints: ['main.js', 'style.css'], logLevel: 'silent' });
    await expect(built).rejects.toThrow('SERVICE_TOKEN');
    expect(await outputFiles()).toEqual(['main.js', 'main.js.map', 'style.css', 'style.css.map']);
  });

  test('but stay if the configuration has source maps', async () => {
    await build({ entryPoints: ['main.js', 'style.css'], sourcemap: 'linked' });
    expect(await outputFiles()).toEqual(['main.js', 'main.js.map', 'style.css', 'style.css.map']);
  });
});
