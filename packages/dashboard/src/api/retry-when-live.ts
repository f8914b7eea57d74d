import { onLive } from '../live/live-events.ts';
import { ApiError } from './api-error.ts';

/**
 * Retries a load that failed because the server was unavailable, each time the stream is live again. The stream resumes
 * at its last position, so no event triggers the load. Returns the function that stops it.
 */
export function retryWhenLive(failure: () => Error | undefined, load: () => unknown): () => void {
  return onLive(() => {
    const error = failure();
    // A retry would get the same 4xx response.
    if (error instanceof ApiError && (!error.status || error.status >= 500)) load();
  });
}
