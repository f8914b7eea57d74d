import type { RequestHandler } from 'msw';
import { PageMockService } from './browser/page-mock-service.ts';
import type { MockServiceOptions } from './mock-service.ts';

export { PageMockService as MockService } from './browser/page-mock-service.ts';
export { serviceMatchers } from './matchers/matchers.ts';
export type { MockServiceOptions } from './mock-service.ts';
export type * from './accepted-report.ts';
export type * from './error-group.ts';
export type * from './rejected-report.ts';

/**
 * Returns msw handlers for `setupWorker()` that respond to every request to the service as the real server does. The
 * server runs in the process of Vite, which needs the plugin of `@service/mocks/vite`.
 */
export function serviceHandlers(options?: MockServiceOptions): RequestHandler[] {
  return new PageMockService(options).handlers;
}
