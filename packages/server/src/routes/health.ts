import type { H3 } from 'h3';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';

/** Checks for process monitors. */
export function healthRoutes(app: H3, { store }: Services): void {
  /** Succeeds while the process runs. */
  app.get('/healthz', () => ({ status: 'ok' }));

  /** Succeeds while the storage accepts writes. */
  app.get('/readyz', async () => {
    if (await store.isReady()) return { status: 'ok' };
    const reason = store.room.isFull ? 'The storage is full.' : 'The storage accepts no writes at the moment.';
    throw new ProblemError('storage_unavailable', reason, { retryAfterSeconds: 5 });
  });
}
