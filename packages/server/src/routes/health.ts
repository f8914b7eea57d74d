import type { H3 } from 'h3';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/** For whatever watches over the process. */
export function healthRoutes(app: H3, { store }: Services): void {
  /** It runs. */
  app.get('/healthz', () => ({ status: 'ok' }));

  /** It runs, and its storage takes what is written. */
  app.get('/readyz', async () => {
    if (await store.isReady()) return { status: 'ok' };
    throw new ProblemError('storage_unavailable', 'The last write to the storage failed.', { retryAfterSeconds: 5 });
  });
}
