import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { builtWorkers } from './packages/server/test/test-utils/built-workers.ts';

// A busy machine must not make a test fail. Something that never happens is still reported soon enough.
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 60_000 } } };

/** Files share the modules of their worker: loading them again for each took a quarter of the time. */
const onNode = { ...timeouts, environment: 'node', isolate: false } as const;

/** Servers whose modules a test imports. */
const plugins = [builtWorkers()];
const setupFiles = [fileURLToPath(new URL('packages/server/test/test-utils/password-cost.ts', import.meta.url))];

// The test configuration of the whole workspace. Vitest does not look for a file of this name:
// it is always given with `--config vitest.workspace.ts`.
export default defineConfig({
  test: {
    // Tests wait for processes, disks and time-outs. One more worker than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    projects: [
      // Each of these files has its own window, in which the SDK starts.
      { test: { ...timeouts, name: 'browser', root: 'packages/browser', environment: 'happy-dom' } },
      { plugins, test: { ...onNode, name: 'server', root: 'packages/server', setupFiles } },
      { plugins, test: { ...onNode, name: 'source-maps', root: 'packages/source-maps' } },
      { test: { ...onNode, name: 'bundler-plugin', root: 'packages/bundler-plugin' } },
      { test: { ...onNode, name: 'cli', root: 'packages/cli' } },
      { test: { ...onNode, name: 'dashboard', root: 'packages/dashboard' } },
      { test: { ...onNode, name: 'mocks', root: 'packages/mocks' } },
      { plugins, test: { ...onNode, name: 'workspace', root: 'test', setupFiles } },
    ],
  },
});
