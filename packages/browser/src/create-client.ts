import { addBreadcrumbTo, type BreadcrumbInput } from './breadcrumbs.ts';
import { captureWithContext } from './capture-with-context.ts';
import { type Options, startClient } from './client.ts';
import { closeClient } from './close.ts';
import { flushClient } from './flush.ts';
import { createPipeline } from './pipeline.ts';
import { readOptions } from './read-options.ts';
import { addReportUrl } from './report-url.ts';
import { runWithScope, scopeOf, type CaptureContext, type Scope } from './scope.ts';

/** The functions of a further client. None of them throws, but `withScope` throws what `run` throws. */
export interface BrowserClient extends Pick<Scope, 'setUser' | 'setTag' | 'setTags' | 'setMetadata'> {
  captureException(thrown: unknown, context?: CaptureContext | null): string | undefined;
  captureMessage(text: string, context?: CaptureContext | null): string | undefined;
  addBreadcrumb(input: BreadcrumbInput): void;
  withScope<Result>(run: (scope: Scope) => Result): Result;
  flush(timeoutMs?: number): Promise<boolean>;
  close(timeoutMs?: number): Promise<boolean>;
}

/**
 * Starts a further client, with its own scope, breadcrumbs and limits: for micro-frontends. Its option `allowUrls`
 * restricts it to the errors of your scripts. Never throws.
 */
export function createClient(options: Options): BrowserClient {
  const client = startClient(readOptions(options), createPipeline());
  if (client) addReportUrl(client);
  const { setUser, setTag, setTags, setMetadata } = scopeOf(client, client?.scope ?? {});
  return {
    captureException: (thrown, context) => client && captureWithContext(client, thrown, context),
    captureMessage: (text, context) => client && captureWithContext(client, text, context, { level: 'info' }),
    addBreadcrumb: (input) => addBreadcrumbTo(client, input),
    setUser,
    setTag,
    setTags,
    setMetadata,
    withScope: (run) => runWithScope(client, run),
    flush: async (timeoutMs) => (client ? flushClient(client, timeoutMs) : true),
    close: async (timeoutMs) => (client ? closeClient(client, timeoutMs) : true),
  };
}
