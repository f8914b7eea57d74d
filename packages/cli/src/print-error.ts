import { ApiError, ProjectSelectionError, UnreachableError } from '@service/api-client';
import { MapError } from '@service/source-maps';
import { exitCodes, type ExitCodeName } from './exit-codes.ts';
import { CommandError } from './command-error.ts';
import type { Output } from './output.ts';
import { printable } from './printable.ts';

/** Prints an error and returns its exit code. No error contains a token. */
export function printError(error: unknown, output: Output, env: NodeJS.ProcessEnv): number {
  const exit = exitOf(error);
  output.error(exit, printable(messageOf(error, env)));
  return exitCodes[exit];
}

/** Returns the text of an error. Replaces the server's text of a 401, which is about the dashboard. */
function messageOf(error: unknown, env: NodeJS.ProcessEnv): string {
  if (error instanceof ApiError && error.status === 401)
    return env.SERVICE_TOKEN
      ? 'The server does not accept the token in SERVICE_TOKEN. Set it to a personal access token.'
      : 'The server does not accept the stored token. Sign in again with: service login';
  return error instanceof Error ? error.message : String(error);
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
