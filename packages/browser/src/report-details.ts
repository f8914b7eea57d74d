import { formatBreadcrumbs } from './breadcrumbs.ts';
import { isError } from './error-to-report.ts';
import { attempt, readProperty } from './guard.ts';
import type { BufferedBreadcrumb, RawReport, Report } from './report.ts';
import { scriptUrl } from './script-url.ts';

declare global {
  /** The debug ids that bundles register: `{ [stack inside the script]: id }`. */
  var __serviceDebugIds: Record<string, string> | undefined;
}

type DeviceNavigator = Partial<Navigator> & { connection?: { effectiveType?: string } };

/** The version in package.json; a test compares them. */
const version = '0.1.0';

/** Adds the details in order of importance: the last ones are dropped if the report is too large. */
export function addDetails(
  { metadata, ...report }: RawReport,
  error: unknown,
  breadcrumbs: BufferedBreadcrumb[],
): RawReport {
  return {
    ...report,
    sdk: { name: '@service/browser', version },
    device: attempt(readDevice),
    debug_ids: readDebugIds(report.stacktrace),
    breadcrumbs: formatBreadcrumbs(breadcrumbs),
    metadata: withErrorProperties(metadata, error),
  };
}

/** Returns the size of the window, the language and the speed of the network. A worker has no window. */
function readDevice(): Report['device'] {
  const { innerWidth, innerHeight } = globalThis;
  const { language, connection }: DeviceNavigator = globalThis.navigator ?? {};
  const viewport = innerWidth ? `${innerWidth}x${innerHeight}` : undefined;
  return { viewport, language, connection: connection?.effectiveType };
}

/** Returns the debug ids of the scripts in a stack, by URL. */
function readDebugIds(stacktrace = ''): Report['debug_ids'] {
  const ids = globalThis.__serviceDebugIds;
  if (!ids) return;
  const byUrl = Object.entries(ids).map(([stack, id]) => [scriptUrl(stack), id]);
  return Object.fromEntries(byUrl.filter(([url]) => url && stacktrace.includes(`${url}:`)));
}

/** What a report contains anyway. */
const reportedProperties = /^(name|message|stack|cause|errors)$/;

/** Adds the other own properties of an error, such as `code` and `status`, to the metadata, as `error`. */
function withErrorProperties(metadata: Report['metadata'], error: unknown): Report['metadata'] {
  if (!isError(error)) return metadata;
  const names = attempt(() => Object.keys(Object(error))) ?? [];
  const others = names.filter((name) => !reportedProperties.test(name));
  if (others.length === 0) return metadata;
  return { error: Object.fromEntries(others.map((name) => [name, readProperty(error, name)])), ...metadata };
}
