import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/cli.ts'],
  format: 'esm',
  target: 'node20',
  silent: true,
  clean: true,
  // A command is loaded only when it runs, so that the help is quick.
  splitting: true,
  // Private packages are bundled.
  noExternal: ['@service/api-client', '@service/protocol', '@service/source-maps'],
});
