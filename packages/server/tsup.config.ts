import { rmSync } from 'node:fs';
import { defineConfig, type Options } from 'tsup';
import { bundledLicenses } from './bundled-licenses.ts';

// Two builds share the folder, so neither may clean it while the other writes.
rmSync('dist', { recursive: true, force: true });

const common: Options = { format: 'esm', target: 'node20', silent: true };
/** The protocol is private: its code and types travel inside this package. */
const own = '@service/protocol';

/** The commands beside the server share much with it. Bundled with it they would tear it into many small files. */
const commandsApart = {
  name: 'commands-apart',
  setup(build: Parameters<NonNullable<Options['esbuildPlugins']>[number]['setup']>[0]) {
    build.onResolve({ filter: /\/run-command\.ts$/ }, ({ kind }) =>
      kind === 'dynamic-import' ? { path: './run-command.js', external: true } : null,
    );
  },
};

export default defineConfig([
  {
    // For programs: packages stay outside, so that the app is an H3 of the h3 that the program itself imports.
    ...common,
    entry: ['src/index.ts'],
    noExternal: [own],
    dts: { resolve: [own], compilerOptions: { ignoreDeprecations: '6.0' } },
  },
  {
    // The command. What it needs at every start is in few files: to find and read hundreds took longer than to run them.
    // The rest stays outside and is imported when it is first needed.
    ...common,
    entry: ['src/cli.ts'],
    noExternal: [own, 'bowser', 'h3', 'lru-cache', 'pino', 'srvx', 'zod'],
    // pino is CommonJS and requires modules of Node.
    banner: { js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);` },
    esbuildPlugins: [commandsApart, bundledLicenses('dist/cli-licenses.txt')],
  },
  {
    ...common,
    entry: ['src/operate/run-command.ts'],
    noExternal: [own],
  },
]);
