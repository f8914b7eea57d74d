/**
 * Why a source map can't be used.
 * - `map_missing`: the script has no map.
 * - `map_unreadable`: the file is no source map, is damaged, or has no positions.
 * - `sources_missing`: the map contains no sources, so frames would have no source lines and no names.
 * - `other_build`: the map belongs to another build of the script.
 * - `map_rejected`: the server rejected the map with 413 or 422.
 * - `not_proven`: the server has the map, but does not resolve a position with it to the expected source position.
 */
export type MapErrorCode =
  | 'map_missing'
  | 'map_unreadable'
  | 'sources_missing'
  | 'other_build'
  | 'map_rejected'
  | 'not_proven';

/** A problem of one source map. The message says what is wrong. */
export class MapError extends Error {
  override readonly name = 'MapError';
  readonly code: MapErrorCode;

  constructor(code: MapErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
