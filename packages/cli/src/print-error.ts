import { ApiError, ProjectSelectionError, UnreachableError } from '@service/api-client';
import { MapError } from '@service/source-maps';
import { exitCodes, type ExitCodeName } from './exit-codes.ts';
import { CommandError } from './command-error.ts';
import type { Output } from './output.ts';
import { printable } from './printable.ts';

/** Prints an error and returns its exit code. Tokens are in no error. */
export function printError(error: unknown, output: Output): number {
  const exit = exitOf(error);
  output.error(exit, printable(error instanceof Error ? error.message : String(error)));
  return exitCodes[exit];
}

function exitOf(error: unknown): ExitCodeName {
  if (error instanceof CommandError) return error.exit;
  if (error instanceof MapError) return error.code;
  if (error instanceof ProjectSelectionError) return error.reason === 'unselected' ? 'usage' : 'nothing_found';
  if (error instanceof UnreachableError) return 'unreachable';
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 401 || error.status === 403) return 'not_permitted';
  if (error.status === 404) return 'nothing_found';
  return error.status >= 500 ? 'unreachable' : 'failed';
}
