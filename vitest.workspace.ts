import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { builtWorkers } from './packages/server/test/test-utils/built-workers.ts';

// A busy machine must not make a test fail. Something that never happens is still reported soon enough.
const timeouts = { testTimeout: 120_000, hookTimeout: 120_000, expect: { poll: { timeout: 60_000 } } };

const plugins = [builtWorkers()];

// The test configuration of the whole workspace. Vitest does not look for a file of this name:
// it is always given with `--config vitest.workspace.ts`.
export default defineConfig({
  test: {
    // Tests wait for processes, disks and time-outs. One more worker than cores keeps the cores busy.
    maxWorkers: availableParallelism() + 1,
    // Files share the modules of their worker: loading them anew for each took a quarter of the time.
    isolate: false,
    projects: [
      // Each of these files has a window of its own, in which the SDK starts.
      { test: { ...timeouts, name: 'browser', root: 'packages/browser', environment: 'happy-dom', isolate: true } },
      { plugins, test: { ...timeouts, name: 'server', root: 'packages/server', environment: 'node' } },
      { plugins, test: { ...timeouts, name: 'source-maps', root: 'packages/source-maps', environment: 'node' } },
      { test: { ...timeouts, name: 'bundler-plugin', root: 'packages/bundler-plugin', environment: 'node' } },
      { test: { ...timeouts, name: 'cli', root: 'packages/cli', environment: 'node' } },
      { test: { ...timeouts, name: 'mocks', root: 'packages/mocks', environment: 'node' } },
      { plugins, test: { ...timeouts, name: 'workspace', root: 'test', environment: 'node' } },
    ],
  },
});
