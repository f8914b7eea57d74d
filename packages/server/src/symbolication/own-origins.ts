import type { ReportFrame } from '../stack/report-frame.ts';
import { isInApp, originOf } from '../stack/is-in-app.ts';
import type { SourceMapRecord } from '../store/records/records.ts';

/**
 * The origins in the URLs of a project's source maps, such as that of its CDN, each with the map that named it first. Scripts
 * there are the app's own, whatever page loads them.
 */
export type OwnOrigins = ReadonlyMap<string, SourceMapRecord>;

const cache = new WeakMap<readonly SourceMapRecord[], OwnOrigins>();

/**
 * The own origins of these maps, worked out once a list. The release of a map does not matter here: whether a frame is the
 * app's decides its group, and one bug has one group over all releases.
 */
export function ownOrigins(maps: readonly SourceMapRecord[]): OwnOrigins {
  let origins = cache.get(maps);
  if (!origins) cache.set(maps, (origins = firstMaps(maps)));
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

/** Those without which a frame, as resolved or as the browser told it, would be code of others on this page. */
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

/** The origin that a map names; null if it has no URL, or only a path for any host. */
export function originOfMap({ url }: Pick<SourceMapRecord, 'url'>): string | null {
  const origin = url === null ? null : originOf(url);
  // `https:///app.js` names no host.
  return origin?.endsWith('//') ? null : origin;
}

/** In the order of the groups that were there before each of them, as adoption asks for it. */
export function isOlderMap(map: SourceMapRecord, other: SourceMapRecord): boolean {
  const groups = (map.groups_before ?? 0) - (other.groups_before ?? 0);
  if (groups !== 0) return groups < 0;
  if (map.created_at !== other.created_at) return map.created_at < other.created_at;
  return map.id < other.id;
}
