import { defineConfig } from 'vitest/config';

// The test configuration of the whole workspace. Vitest does not look for a file of this name:
// it is always given with `--config vitest.workspace.ts`.
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'protocol', root: 'packages/protocol', environment: 'node' } },
      { test: { name: 'browser', root: 'packages/browser', environment: 'happy-dom' } },
      { test: { name: 'server', root: 'packages/server', environment: 'node' } },
      { test: { name: 'workspace', root: 'test', environment: 'node' } },
    ],
  },
});
