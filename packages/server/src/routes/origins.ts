import { apiPrefix, OriginsInput, paths } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import type { Caller } from '../accounts/caller.ts';
import { assertOperator } from '../accounts/permissions.ts';
import { readOrigins, setOrigins } from '../projects/set-origins.ts';
import { authenticate } from '../http/authenticate.ts';
import { readBody } from '../http/body.ts';
import { assertNoQuery } from '../http/query.ts';
import type { Services } from '../services.ts';

/**
 * Origins whose pages may send reports. The list belongs to the whole server, so only its operator reads or changes it.
 */
export function originRoutes(app: H3, services: Services): void {
  app.get(apiPrefix + paths.origins, async (event) => {
    await operator(event);
    assertNoQuery(event);
    return readOrigins(services);
  });

  app.put(apiPrefix + paths.origins, async (event) => {
    const caller = await operator(event);
    return setOrigins(services, caller, await readBody(event, OriginsInput));
  });

  async function operator(event: H3Event): Promise<Caller> {
    const caller = await authenticate(services, event);
    assertOperator(caller);
    return caller;
  }
}
