import { readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { defineConfig, type Options } from 'tsup';
import { bundledLicenses } from './bundled-licenses.ts';

// Two builds share the folder, so neither may clean it while the other writes.
rmSync('dist', { recursive: true, force: true });

const common: Options = { format: 'esm', target: 'node20', silent: true };
/** The protocol is private: its code and types travel inside this package. */
const own = '@service/protocol';

/** What few starts need and what shares much with the rest. Bundled with it they would tear it into many small files. */
const apart = [
  'src/commands/run-command.ts',
  'src/docs/openapi.ts',
  'src/docs/api-page.ts',
  'src/docs/problems-page.ts',
  'src/docs/packages-page.ts',
];

const bundledApart = {
  name: 'bundled-apart',
  setup(build: Parameters<NonNullable<Options['esbuildPlugins']>[number]['setup']>[0]) {
    build.onResolve({ filter: /\.ts$/ }, ({ kind, path }) => {
      const [name] = apart.filter((file) => file.endsWith(`/${basename(path)}`)).map((file) => basename(file, '.ts'));
      return kind === 'dynamic-import' && name !== undefined ? { path: `./${name}.js`, external: true } : null;
    });
  },
};

/** Worker threads: see `symbolication/worker-file.ts`. */
const workers = Object.fromEntries(
  readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('-worker.ts'))
    .map((file) => [basename(file, '.ts'), join('src', file)]),
);

export default defineConfig([
  {
    // For programs: packages stay outside, so that the app is an H3 of the h3 that the program itself imports.
    ...common,
    entry: ['src/index.ts'],
    noExternal: [own],
    esbuildPlugins: [bundledApart],
    // They take longer than all the rest, and the demo needs none.
    dts: process.env.BUILD_TYPES !== 'no' && { resolve: [own], compilerOptions: { ignoreDeprecations: '6.0' } },
  },
  {
    // The command. What it needs at every start is in few files: to find and read hundreds took longer than to run them.
    // The rest stays outside and is imported when it is first needed.
    ...common,
    entry: ['src/cli.ts'],
    noExternal: [own, 'bowser', 'h3', 'lru-cache', 'pino', 'zod'],
    // pino is CommonJS and requires modules of Node.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    esbuildPlugins: [bundledApart, bundledLicenses('dist/cli-licenses.txt')],
  },
  {
    ...common,
    entry: Object.fromEntries(apart.map((file) => [basename(file, '.ts'), file])),
    noExternal: [own],
  },
  {
    // Each in one file: what it shares with the server it must not find in files of the other builds.
    ...common,
    entry: workers,
    splitting: false,
    noExternal: [own],
  },
]);
