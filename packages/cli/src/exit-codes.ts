import type { MapErrorCode } from '@service/source-maps';

/** The exit codes of all commands. They are stable: scripts depend on them. */
export const exitCodes = {
  ok: 0,
  failed: 1,
  usage: 2,
  not_permitted: 3,
  unreachable: 4,
  nothing_found: 5,
  map_missing: 6,
  map_unreadable: 7,
  sources_missing: 8,
  other_build: 9,
  map_rejected: 10,
  not_proven: 11,
  problems_found: 12,
} as const satisfies Record<MapErrorCode, number> & Record<string, number>;

export type ExitCodeName = keyof typeof exitCodes;

/** What each exit code means, for the help and the documentation. */
export const exitCodeTexts: Record<ExitCodeName, string> = {
  ok: 'Success',
  failed: 'Another error',
  usage: 'Unknown command or invalid argument',
  not_permitted: 'Not signed in, or not permitted',
  unreachable: 'The server cannot be reached',
  nothing_found: 'Nothing was found: no scripts, project, map or error',
  map_missing: 'A source map is missing',
  map_unreadable: 'A source map is damaged or empty',
  sources_missing: 'A source map contains no sources',
  other_build: 'A source map belongs to another build of its script',
  map_rejected: 'The server has rejected a source map',
  not_proven: 'The server does not resolve a position of an uploaded map',
  problems_found: 'doctor has found a problem',
};
