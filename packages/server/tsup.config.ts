import { defineConfig } from 'tsup';

export default defineConfig({
  entry: ['src/index.ts', 'src/cli.ts'],
  format: 'esm',
  target: 'node20',
  clean: true,
  silent: true,
  // The protocol is private: its code and types travel inside this package.
  noExternal: ['@service/protocol'],
  dts: { entry: 'src/index.ts', resolve: ['@service/protocol'], compilerOptions: { ignoreDeprecations: '6.0' } },
});
