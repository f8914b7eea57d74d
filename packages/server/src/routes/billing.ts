import { apiPrefix, paths } from '@service/protocol';
import type { H3 } from 'h3';
import { readUsage } from '../billing/usage.ts';
import { authenticate } from '../http/authenticate.ts';
import { assertNoQuery } from '../http/query.ts';
import type { Services } from '../services.ts';

/** Plans and usage. */
export function billingRoutes(app: H3, services: Services): void {
  app.get(apiPrefix + paths.plans, async (event) => {
    await authenticate(services, event);
    assertNoQuery(event);
    return services.plans.all;
  });

  app.get(apiPrefix + paths.usage, async (event) => {
    const caller = await authenticate(services, event);
    assertNoQuery(event);
    return readUsage(services, caller);
  });
}
