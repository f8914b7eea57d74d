import { apiPrefix, ExplanationQuery, paths } from '@service/protocol';
import type { H3 } from 'h3';
import { assertMayWrite } from '../accounts/caller.ts';
import { readExplanation, requestExplanation } from '../explain/explanations.ts';
import { findGroup } from '../groups/groups.ts';
import { authenticate } from '../http/authenticate.ts';
import { readNoBody } from '../http/body.ts';
import { pathId, readQuery } from '../http/query.ts';
import type { Services } from '../services.ts';

/** A group explained, by an AI or by rules. */
export function aiSummaryRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.aiSummary, async (event) => {
    const caller = await authenticate(services, event);
    const group = findGroup(services, caller, pathId(event, 'group_id'));
    assertMayWrite(caller);
    await readNoBody(event);
    const requested = await requestExplanation(services, caller, group);
    event.res.status = 202;
    return requested;
  });

  app.get(apiPrefix + paths.aiSummary, async (event) => {
    const caller = await authenticate(services, event);
    const group = findGroup(services, caller, pathId(event, 'group_id'));
    const { receipt } = readQuery(event, ExplanationQuery);
    return readExplanation(services, group, receipt === 'true');
  });
}
