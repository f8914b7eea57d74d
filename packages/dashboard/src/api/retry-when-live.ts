import { whenLive } from '../live/live.ts';
import { Refusal } from './call.ts';

/**
 * Loads again what failed because the server was away, each time the stream returns: the stream resumes from its last
 * position, so no event says that anything has to be read. Returns what ends that.
 */
export function retryWhenLive(failure: () => Error | undefined, load: () => unknown): () => void {
  return whenLive(() => {
    const error = failure();
    // What the server has refused for good would only be refused again.
    if (error instanceof Refusal && (error.status === 0 || error.status >= 500)) load();
  });
}
