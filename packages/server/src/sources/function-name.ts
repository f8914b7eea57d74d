import type { Services } from '../services.ts';
import type { Location } from './maps.ts';

/** The function that a place of a source stands in: null if in none that has a name, undefined if that is not known. */
export function functionName(
  _services: Services,
  _location: Location,
): string | null | undefined | Promise<string | null | undefined> {
  return undefined;
}
