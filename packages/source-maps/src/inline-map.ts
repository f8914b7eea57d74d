import { MapError } from './map-error.ts';
import { dataUrl, findMapReference } from './map-reference.ts';
import type { RawSourceMap } from './raw-source-map.ts';

/** Returns the text of the map within a script, or null if it contains none. Throws a MapError if it is damaged. */
export function readInlineMap(code: string): string | null {
  const url = findMapReference(code)?.url;
  if (url === undefined || !dataUrl.test(url)) return null;
  const data = url.replace(dataUrl, '');
  try {
    return /;base64,/.test(url.slice(0, url.length - data.length))
      ? Buffer.from(data, 'base64').toString()
      : decodeURIComponent(data);
  } catch (error) {
    throw new MapError('map_unreadable', 'The inline source map is damaged. Build again.', { cause: error });
  }
}

/** Replaces the map within a script. A script that contains no map stays unchanged. */
export function withInlineMap(code: string, map: RawSourceMap): string {
  const reference = findMapReference(code);
  if (!reference || !dataUrl.test(reference.url)) return code;
  const data = Buffer.from(JSON.stringify(map)).toString('base64');
  const comment = `//# sourceMappingURL=data:application/json;charset=utf-8;base64,${data}`;
  return code.slice(0, reference.start) + comment + code.slice(reference.end);
}
