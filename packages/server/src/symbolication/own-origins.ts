import type { ReportFrame } from '../stack/report-frame.ts';
import { isInApp } from '../stack/is-in-app.ts';
import { originOf } from '../stack/url-origin.ts';
import type { SourceMapRecord } from '../store/records/source-map-records.ts';
import { isOlderMap } from './is-older-map.ts';

/**
 * The origins in the URLs of a project's source maps, such as that of its CDN, each with the first map that names it.
 * Scripts of these origins belong to the app on every page.
 */
export type OwnOrigins = ReadonlyMap<string, SourceMapRecord>;

const originsByMaps = new WeakMap<readonly SourceMapRecord[], OwnOrigins>();

/**
 * Returns the own origins of these maps, computed once per list. The release of a map does not matter: whether a frame
 * belongs to the app decides its group, and a bug has one group over all releases.
 */
export function ownOrigins(maps: readonly SourceMapRecord[]): OwnOrigins {
  let origins = originsByMaps.get(maps);
  if (!origins) originsByMaps.set(maps, (origins = firstMaps(maps)));
  return origins;
}

function firstMaps(maps: readonly SourceMapRecord[]): OwnOrigins {
  const first = new Map<string, SourceMapRecord>();
  for (const map of maps) {
    const origin = originOfMap(map);
    const earlier = origin === null ? undefined : first.get(origin);
    if (origin !== null && (!earlier || isOlderMap(map, earlier))) first.set(origin, map);
  }
  return first;
}

/**
 * Returns the origins that make a frame the app's, by its resolved or its reported file. Without them it would be
 * third-party code on this page.
 */
export function originsOfFrames(own: OwnOrigins, frames: readonly ReportFrame[], page: string | null): OwnOrigins {
  const needed = new Map<string, SourceMapRecord>();
  if (own.size === 0) return needed;
  for (const file of frames.flatMap((frame) => [frame.file, frame.raw.file])) {
    const origin = file === null ? null : originOf(file);
    const map = origin === null ? undefined : own.get(origin);
    if (origin !== null && map && !isInApp({ file }, page)) needed.set(origin, map);
  }
  return needed;
}

/** Returns the origin in the URL of a map, or null if it has no URL or only a path for any host. */
export function originOfMap({ url }: Pick<SourceMapRecord, 'url'>): string | null {
  const origin = url === null ? null : originOf(url);
  // `https:///app.js` names no host.
  return origin?.endsWith('//') ? null : origin;
}
