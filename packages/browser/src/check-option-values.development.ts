import type { Settings } from './client.ts';
import type { BreadcrumbSwitches, NoiseSwitches } from './options.ts';
import { readText } from './read-property.ts';
import { warn } from './warn.ts';

const breadcrumbSwitches = {
  navigation: true,
  click: true,
  fetch: true,
  xhr: true,
  console: true,
} satisfies Record<keyof BreadcrumbSwitches, true>;

const noiseSwitches = {
  scriptError: true,
  extensions: true,
  resizeObserver: true,
} satisfies Record<keyof NoiseSwitches, true>;

const integrationNames = new Set(['captureConsole', 'captureFailedRequests', 'offlineStorage']);

/**
 * Warns about an endpoint with the path of the API, a sample rate that is no share, unknown members of the options
 * `breadcrumbs` and `ignore`, and integrations that are not called. Only in the `development` build.
 */
export function checkOptionValues({ endpoint, breadcrumbs, ignore, integrations, sampleRate = 1 }: Settings): void {
  // Another path may be that of a proxy.
  if (/\/api\/v1(?:\/errors)?\/*$/.test(endpoint))
    warn(4, 'Option endpoint must be the base URL of the server, without /api/v1');
  if (sampleRate < 0 || sampleRate > 1) warn(4, 'Option sampleRate must be from 0 to 1');
  checkMembers('breadcrumbs', breadcrumbs, breadcrumbSwitches);
  checkMembers('ignore', ignore, noiseSwitches);
  for (const integration of [integrations ?? []].flat()) {
    const name = readText(integration, 'name');
    if (integrationNames.has(name)) warn(4, `Call the integration: ${name}()`);
  }
}

function checkMembers(option: string, given: object | undefined, known: object): void {
  for (const name of Object.keys(given ?? {})) {
    if (name in known) continue;
    warn(4, `Unknown option ${option}.${name}. The option ${option} has ${Object.keys(known).join(', ')}`);
  }
}
