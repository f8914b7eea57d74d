import type { H3, H3Event } from 'h3';
import { readCaller } from '../accounts/caller.ts';
import { readBearer } from '../http/authenticate.ts';
import { isFromThisMachine } from '../http/client-address.ts';
import { ProblemError } from '../problem.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Services } from '../services.ts';

/** Metrics for Prometheus. */
export function metricsRoutes(app: H3, services: Services): void {
  let opened: Promise<Metrics> | null = null;

  app.get('/metrics', async (event) => {
    await assertMayRead(services, event);
    opened ??= import('../metrics/metrics.ts').then(({ openMetrics }) => openMetrics(services));
    const metrics = await opened;
    event.res.headers.set('content-type', metrics.contentType);
    event.res.headers.set('cache-control', 'no-store');
    return metrics.text();
  });
}

/** Allows the operator's token, and requests without a token from this machine. */
async function assertMayRead(services: Services, event: H3Event): Promise<void> {
  const token = readBearer(event);
  if (token === null) {
    if (isFromThisMachine(event)) return;
    throw new ProblemError('missing_token', 'Send the header Authorization: Bearer <SERVICE_ADMIN_TOKEN>.');
  }
  const { credential } = await readCaller(services, token);
  if (credential.kind !== 'operator')
    throw new ProblemError('forbidden', 'Only the token of the operator can read the metrics.');
}
