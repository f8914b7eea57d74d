import type { H3 } from 'h3';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/** For whatever watches over the process. */
export function healthRoutes(app: H3, { store }: Services): void {
  /** It runs. */
  app.get('/healthz', () => ({ status: 'ok' }));

  /** It runs, and its storage answers. */
  app.get('/readyz', async () => {
    try {
      await store.blobs.names();
    } catch (cause) {
      throw new ProblemError('storage_unavailable', 'The storage does not answer.', { retryAfterSeconds: 5, cause });
    }
    return { status: 'ok' };
  });
}
