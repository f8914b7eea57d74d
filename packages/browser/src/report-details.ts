import { attempt } from './attempt.ts';
import { formatBreadcrumbs } from './breadcrumbs.ts';
import type { Client } from './client.ts';
import { readProperty } from './read-property.ts';
import type { AddDetails, ErrorReport } from './report.ts';
import { scriptUrl } from './script-url.ts';

declare global {
  /** The debug ids that bundles register: `{ [stack inside the script]: id }`. */
  var __serviceDebugIds: Record<string, string> | undefined;
}

/** The version in package.json; a test compares them. */
const version = '0.1.0';

/**
 * Remembers the breadcrumbs and the own properties of the error at this moment. Returns a function that adds the
 * details of an error to its report, in a later task. They are in order of importance: the last ones are dropped if the
 * report is too large.
 */
export function prepareDetails(client: Client, error: unknown): AddDetails {
  const breadcrumbs = [...client.breadcrumbs];
  const properties = readOwnProperties(error);
  return ({ metadata, ...report }) => ({
    ...report,
    sdk: { name: '@service/browser', version },
    device: attempt(readDevice),
    debug_ids: readDebugIds(report.stacktrace),
    breadcrumbs: formatBreadcrumbs(breadcrumbs),
    metadata: properties ? { error: properties, ...metadata } : metadata,
  });
}

/** Returns the size of the window, the language and the speed of the network. A worker has no window. */
function readDevice(): ErrorReport['device'] {
  const { innerWidth, innerHeight, navigator } = globalThis;
  const { language, connection }: Navigator & { connection?: { effectiveType?: string } } = navigator;
  const viewport = innerWidth ? `${innerWidth}x${innerHeight}` : undefined;
  return { viewport, language, connection: connection?.effectiveType };
}

/** Returns the debug ids of the scripts in a stack, by URL. */
function readDebugIds(stacktrace = ''): ErrorReport['debug_ids'] {
  const ids = Object.entries(globalThis.__serviceDebugIds ?? {})
    .map(([stack, id]) => [scriptUrl(stack), id] as const)
    .filter(([url]) => url && stacktrace.includes(`${url}:`));
  if (ids[0]) return Object.fromEntries(ids);
}

const describedProperties = /^(name|message|stack|cause|errors|toJSON)$/;

/** Returns the other own properties of an error, such as `code` and `status`; undefined if it has none. */
function readOwnProperties(error: unknown): ErrorReport['metadata'] {
  // A Proxy may throw.
  const names = attempt(() => Object.keys(Object(error)).filter((name) => !describedProperties.test(name)));
  if (names?.[0]) return Object.fromEntries(names.map((name) => [name, readProperty(error, name)]));
}
