import { attempt } from './attempt.ts';
import { warn, type WarningLog } from './warn.ts';

/** Calls `run`. Returns undefined with a warning if it throws, because the SDK must not break the page. */
export function guard<Result>(client: WarningLog, run: () => Result): Result | undefined {
  return attempt(run, (error) => warn(5, 'A callback or getter threw', client, error));
}

/** Calls a callback of the page, and ignores what it captures or records itself. Throws what it throws. */
export function callPage<Result>(client: { isInCallback?: boolean }, callback: () => Result): Result {
  client.isInCallback = true;
  try {
    return callback();
  } finally {
    client.isInCallback = false;
  }
}
