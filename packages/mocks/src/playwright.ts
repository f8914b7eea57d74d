import { findUnexpected } from './finish-test.ts';
import type { MockService, MockServiceOptions } from './mock-service.ts';
import { NodeMockService } from './node-mock-service.ts';

export { serviceMatchers } from './matchers/matchers.ts';
export type { MockService } from './mock-service.ts';
export type * from './accepted-report.ts';
export type * from './error-group.ts';
export type * from './rejected-report.ts';

/** The parts of a Playwright request that are used here. */
interface RoutedRequest {
  method(): string;
  url(): string;
  allHeaders(): Promise<Record<string, string>>;
  postDataBuffer(): Uint8Array | null;
}

/** The parts of a Playwright route that are used here. */
interface Route {
  request(): RoutedRequest;
  abort(): Promise<void>;
  fulfill(response: { status: number; headers: Record<string, string>; body: Buffer }): Promise<void>;
}

interface BrowserContext {
  route(url: string, handler: (route: Route) => Promise<void>): Promise<unknown>;
}

type RunFixture = (
  fixtures: { context: BrowserContext },
  use: (service: MockService) => Promise<void>,
) => Promise<void>;

/**
 * A fixture in the form of `test.extend()`. Playwright runs it for tests that do not name it too: otherwise, their
 * pages would report to the real server, unseen.
 */
export interface ServiceFixture {
  service: [run: RunFixture, options: { auto: true }];
}

/**
 * Returns a fixture for `test.extend()` of Playwright: each test has its own service, which receives what its pages
 * send to the endpoint. A test fails if a page sends a report that the test does not check.
 */
export function serviceFixture(options?: MockServiceOptions): ServiceFixture {
  // Playwright reads from the source which fixtures a function needs, so the parameter must be destructured.
  const run: RunFixture = async ({ context }, use) => {
    const service = new NodeMockService(options);
    try {
      await context.route(`${service.endpoint}/api/v1/**`, (route) => handleRoute(service, route));
      await use(service);
      const failure = await findUnexpected(service);
      if (failure) throw failure;
    } finally {
      await service.close();
    }
  };
  return { service: [run, { auto: true }] };
}

async function handleRoute(service: MockService, route: Route): Promise<void> {
  const request = route.request();
  const method = request.method();
  const response = await service.fetch(
    new Request(request.url(), {
      method,
      headers: await request.allHeaders(),
      body: method === 'GET' || method === 'HEAD' ? null : new Uint8Array(request.postDataBuffer() ?? []),
    }),
  );
  if (response.type === 'error') return route.abort();
  const body = Buffer.from(await response.arrayBuffer());
  return route.fulfill({ status: response.status, headers: Object.fromEntries(response.headers), body });
}
