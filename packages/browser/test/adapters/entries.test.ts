import type { App } from 'vue';
import { expect, test } from 'vitest';
import { loadPage, options, sent } from '../page.ts';

test.each(['index', 'errors'])('adapters report through the entry that the page started: %s', async (entry) => {
  const { close } = await loadPage();
  const start = entry === 'index' ? await import('../../src/index.ts') : await import('../../src/errors.ts');
  const { reactErrorHandlers } = await import('../../src/react/index.ts');
  const { captureBoundaryError } = await import('../../src/svelte/index.ts');
  const { errorReporting } = await import('../../src/vue/index.ts');

  start.init(options);
  reactErrorHandlers().onCaughtError(new Error('of React'), { componentStack: '\n    at Basket' });
  captureBoundaryError(new Error('of Svelte'));
  const app = { config: {} } as App;
  errorReporting(app);
  app.config.errorHandler?.(new Error('of Vue'), null, 'setup function');

  await start.flush();
  const reports = await sent();
  expect(new Map(reports.map(({ message, metadata }) => [message, metadata]))).toEqual(
    new Map<string, unknown>([
      ['of React', { componentStack: '\n    at Basket' }],
      ['of Svelte', undefined],
      ['of Vue', { lifecycleHook: 'setup function' }],
    ]),
  );
  close();
});
