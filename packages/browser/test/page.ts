import { http, HttpResponse } from 'msw';
import { setupServer } from 'msw/node';
import { afterAll, afterEach, beforeAll, beforeEach, vi, type MockInstance } from 'vitest';
import type * as Sdk from '../src/index.ts';

export const options = { apiKey: 'pk_test', endpoint: 'https://errors.test' };

const server = setupServer();
let sdk: typeof Sdk;
let consoleWarn: MockInstance<typeof console.warn>;

/** Every report that the server received, in order, including rejected ones. */
export let reports: Sdk.ErrorReport[];
/** The requests of these reports. */
export let requests: Request[];

beforeAll(() => server.listen({ onUnhandledRequest: 'error' }));
beforeEach(() => {
  consoleWarn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  for (const method of ['debug', 'info', 'log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation(() => {});
});
afterEach(async () => {
  vi.useRealTimers();
  // Pending reports are sent before the handlers are removed.
  await sdk?.close(100);
  server.resetHandlers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  document.body.innerHTML = '';
});
afterAll(() => server.close());

/** Simulates a page load: the SDK's state is new. `reports` and `requests` are emptied. */
export async function loadPage(): Promise<typeof Sdk> {
  sdk?.close();
  vi.resetModules();
  Reflect.deleteProperty(window, '__serviceSDK');
  reports = [];
  requests = [];
  serve(() => accepted());
  sdk = await import('../src/index.ts');
  return sdk;
}

/** Loads the page and starts the SDK. */
export async function openPage(extra: Partial<Sdk.Options> = {}): Promise<typeof Sdk> {
  const page = await loadPage();
  page.init({ ...options, ...extra });
  return page;
}

/** Sets how the server responds from now on. */
export function serve(respond: (attempt: number) => Response | Promise<Response>): void {
  let attempt = 0;
  server.use(
    http.post('https://errors.test/api/v1/errors', async ({ request }) => {
      requests.push(request.clone());
      reports.push((await request.json()) as Sdk.ErrorReport);
      return respond(++attempt);
    }),
    http.get('https://shop.test/*', ({ request }) =>
      request.url.endsWith('/down') ? HttpResponse.error() : HttpResponse.text('found', { status: 203 }),
    ),
  );
}

/** Lets other servers respond with 500 to what is posted to these URLs. */
export function failPosts(...urls: string[]): void {
  server.use(...urls.map((url) => http.post(url, () => rejected(500))));
}

export function accepted(): Response {
  return HttpResponse.json({ success: true, error_group_id: 1, fingerprint: 'f'.repeat(32), is_new_group: true });
}

export function rejected(status: number, headers: Record<string, string> = {}): Response {
  return HttpResponse.json({ status }, { status, headers });
}

/** Returns the reports that the server has received, once all have a response. */
export async function sent(): Promise<Sdk.ErrorReport[]> {
  await sdk.flush(60_000);
  return reports;
}

/** Returns the only report. Throws if there is another number of reports. */
export async function onlyReport(): Promise<Sdk.ErrorReport> {
  const [report, ...more] = await sent();
  if (!report || more.length > 0) throw new Error(`Expected one report, got ${reports.length}.`);
  return report;
}

/** Returns the breadcrumbs of an error that is captured now. */
export async function captureBreadcrumbs(): Promise<Sdk.Breadcrumb[]> {
  sdk.captureException(new Error('now'));
  return (await onlyReport()).breadcrumbs ?? [];
}

/** Returns the numbers of the SDK's console warnings, such as `W9`. */
export function warnings(): string[] {
  return warningTexts().map((text) => /\[(W\d+)\]$/.exec(text)?.[1] ?? text);
}

/** Returns the SDK's console warnings. */
function warningTexts(): string[] {
  return consoleWarn.mock.calls.map(([text]) => String(text)).filter((text) => text.startsWith('[ServiceSDK] '));
}

let nextError = 0;
/** Returns an error that differs from all previous ones. */
export const newError = (): Error => new Error(`error ${++nextError}`);

/** Simulates an uncaught error: calls the listeners, then window.onerror with five arguments. */
export function throwUncaught(error: unknown, message = `Uncaught ${String(error)}`): void {
  const event = new ErrorEvent('error', { error, message, filename: 'https://shop.test/app.js', lineno: 3, colno: 7 });
  window.dispatchEvent(event);
  window.onerror?.(message, event.filename, event.lineno, event.colno, error as Error);
}

/** Simulates an unhandled rejection. */
export function rejectUnhandled(reason: unknown): void {
  window.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason }));
}
