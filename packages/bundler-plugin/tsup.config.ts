import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['vite', 'rollup', 'rolldown', 'webpack', 'rspack', 'esbuild'].map((name) => `src/${name}.ts`),
  format: ['esm', 'cjs'],
  target: 'node20',
  silent: true,
  clean: true,
  splitting: true,
  // Private packages are bundled.
  noExternal: ['@service/api-client', '@service/protocol', '@service/source-maps'],
  dts: process.env.BUILD_TYPES !== 'no' && { compilerOptions: { ignoreDeprecations: '6.0' } },
});
