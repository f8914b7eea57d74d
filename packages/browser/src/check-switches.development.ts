import type { Settings } from './client.ts';
import type { BreadcrumbSwitches, NoiseSwitches } from './options.ts';
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

/** Warns about unknown members of the options `breadcrumbs` and `ignore`. Only in the `development` build. */
export function checkSwitches({ breadcrumbs, ignore }: Settings): void {
  checkMembers('breadcrumbs', breadcrumbs, breadcrumbSwitches);
  checkMembers('ignore', ignore, noiseSwitches);
}

function checkMembers(option: string, given: object | undefined, known: object): void {
  for (const name of Object.keys(given ?? {})) {
    if (name in known) continue;
    warn(4, `Unknown option ${option}.${name}. The option ${option} has ${Object.keys(known).join(', ')}`);
  }
}
