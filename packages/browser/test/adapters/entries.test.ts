import type { App } from 'vue';
import { expect, test } from 'vitest';
import { loadPage, options, sent } from '../page.ts';

test.each(['index', 'errors'])('adapters report through the entry that the page started: %s', async (entry) => {
  const { close } = await loadPage();
  const start = entry === 'index' ? await import('../../src/index.ts') : await import('../../src/errors.ts');
  const { reactErrorHandlers } = await import('../../src/react/index.ts');
  const { captureBoundaryError } = await import('../../src/svelte/index.ts');
  const { errorReporting } = await import('../../src/vue/index.ts');
  const { handleErrorWithReporting } = await import('../../src/sveltekit/index.ts');
  const { angularErrorHandler } = await import('../../src/angular/index.ts');
  const { reportingFallback } = await import('../../src/solid/index.ts');

  start.init(options);
  reactErrorHandlers().onCaughtError(new Error('of React'), { componentStack: '\n    at Basket' });
  captureBoundaryError(new Error('of Svelte'));
  const app = { config: {} } as App;
  errorReporting(app);
  app.config.errorHandler?.(new Error('of Vue'), null, 'setup function');

  const hook = handleErrorWithReporting();
  const event = { route: { id: '/basket' } };
  hook({ error: new Error('of SvelteKit'), event, status: 500 });
  hook({ error: new Error('Not found: /nothing'), event, status: 404 });
  angularErrorHandler.handleError(new Error('of Angular'));
  // As zone.js wraps it.
  const rejection = new Error('rejected in Angular');
  angularErrorHandler.handleError(Object.assign(new Error('Uncaught (in promise)'), { rejection }));
  expect(reportingFallback((error: Error) => `Sorry: ${error.message}`)(new Error('of Solid'), () => undefined)).toBe(
    'Sorry: of Solid',
  );

  await start.flush();
  const reports = await sent();
  expect(new Map(reports.map(({ message, metadata }) => [message, metadata]))).toEqual(
    new Map<string, unknown>([
      ['of React', { componentStack: '\n    at Basket' }],
      ['of Svelte', undefined],
      ['of Vue', { lifecycleHook: 'setup function' }],
      ['of SvelteKit', { route: '/basket', status: 500 }],
      ['of Angular', undefined],
      ['rejected in Angular', undefined],
      ['of Solid', undefined],
    ]),
  );
  close();
});
