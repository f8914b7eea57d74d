import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { bundledLicenses } from './bundled-licenses.ts';

// Several builds share the folder, so none of them may clean it while another writes.
rmSync('dist', { recursive: true, force: true });

/**
 * Escapes what esbuild leaves in regular expressions and comments. V8 keeps a file with one character outside of
 * Latin-1 at two bytes per character, and scans it slower.
 */
const asciiOutput: NonNullable<Options['plugins']>[number] = {
  name: 'ascii-output',
  renderChunk: (code) => ({
    code: code.replace(/[^\0-\x7f]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`),
  }),
};

const common: Options = { format: 'esm', target: 'node20', silent: true, plugins: [asciiOutput] };
/** The protocol package is private, so its code and types are bundled. */
const bundledPackage = '@service/protocol';

/** Modules that few starts need. Bundled together, they would split the shared code into many small files. */
const separateModules = [
  'src/commands/run-command.ts',
  'src/cluster/cluster-server.ts',
  'src/storage/postgres/postgres-address.ts',
  'src/docs/openapi.ts',
  'src/docs/api-page.ts',
  'src/docs/problems-page.ts',
  'src/docs/packages-page.ts',
];

const separateModulesPlugin = {
  name: 'bundled-apart',
  setup(build: Parameters<NonNullable<Options['esbuildPlugins']>[number]['setup']>[0]) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      const [name] = separateModules
        .filter((file) => file.endsWith(`/${basename(path)}`))
        .map((file) => basename(file, '.ts'));
      return kind === 'dynamic-import' && name !== undefined ? { path: `./${name}.js`, external: true } : null;
    });
  },
};

/** Worker threads: see `symbolication/workers/worker-file.ts`. */
const workers = Object.fromEntries(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-worker.ts'))
    .map((file) => [basename(file, '.ts'), join('src', file)]),
);

export default defineConfig([
  {
    // The library. Packages stay external, so that the app is an H3 of the h3 that the program itself imports.
    ...common,
    entry: ['src/index.ts'],
    noExternal: [bundledPackage],
    esbuildPlugins: [separateModulesPlugin],
    // Type declarations take longer than the rest, and the demo does not need them.
    dts: process.env.BUILD_TYPES !== 'no' && {
      resolve: [bundledPackage],
      compilerOptions: { ignoreDeprecations: '6.0' },
    },
  },
  {
    // The command. Code for every start is in few files: finding and reading hundreds takes longer than running them.
    // The rest stays external and is imported on first use.
    ...common,
    entry: ['src/cli.ts'],
    noExternal: [bundledPackage, 'bowser', 'h3', 'lru-cache', 'pino', 'zod'],
    // pino is CommonJS and requires modules of Node.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    esbuildPlugins: [separateModulesPlugin, bundledLicenses('dist/cli-licenses.txt')],
  },
  {
    ...common,
    entry: Object.fromEntries(separateModules.map((file) => [basename(file, '.ts'), file])),
    noExternal: [bundledPackage],
  },
  {
    // Workers. Each is one file: code shared with the server must not be split into files of the other builds.
    ...common,
    entry: workers,
    splitting: false,
    noExternal: [bundledPackage],
  },
]);
