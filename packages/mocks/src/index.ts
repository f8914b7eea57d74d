import type { RequestHandler } from 'msw';
import type { MockServiceOptions } from './mock-service.ts';
import { NodeMockService } from './node-mock-service.ts';

export type { MockServiceOptions } from './mock-service.ts';
export { NodeMockService as MockService } from './node-mock-service.ts';
export {
  serviceMatchers,
  type BreadcrumbPattern,
  type ExpectedReport,
  type ReportPattern,
} from './matchers/matchers.ts';
export type * from './accepted-report.ts';
export type * from './error-group.ts';
export type * from './rejected-report.ts';

/**
 * Returns msw handlers that pass each request to the API of the service to a real server, which runs in memory. For
 * tests that check reports, use `new MockService(options)`: it has these handlers and a record of the reports.
 */
export function serviceHandlers(options?: MockServiceOptions): RequestHandler[] {
  return new NodeMockService(options).handlers;
}
