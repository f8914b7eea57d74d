import { defineConfig, type Options } from 'tsup';

const common: Options = { target: 'node20', silent: true, sourcemap: true };

const dts: Options['dts'] = process.env.BUILD_TYPES !== 'no' && { compilerOptions: { ignoreDeprecations: '6.0' } };

export default defineConfig([
  {
    ...common,
    entry: ['src/index.ts', 'src/vitest.ts', 'src/jest.ts', 'src/playwright.ts'],
    format: ['esm', 'cjs'],
    clean: true,
    dts,
    esbuildOptions(options, { format }) {
      if (format !== 'cjs') return;
      options.define = { 'import.meta.dirname': '__dirname' };
      // Jest has no `import()` in CommonJS.
      options.supported = { 'dynamic-import': false };
    },
  },
  // For pages and for Vite, which load ES modules.
  {
    ...common,
    entry: ['src/browser.ts', 'src/vitest-browser.ts', 'src/vite.ts'],
    format: 'esm',
    dts,
  },
  // Always an ES module, as the server is one.
  { ...common, entry: { 'server-worker': 'src/server/server-worker.ts' }, format: 'esm' },
]);
