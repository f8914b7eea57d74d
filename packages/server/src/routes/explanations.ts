import { apiPrefix, ExplanationQuery, paths } from '@service/protocol';
import type { H3 } from 'h3';
import { readExplanation, requestExplanation } from '../explain/explanations.ts';
import { readNoBody } from '../http/body.ts';
import { requireGroup, requireWritableGroup } from '../http/require-group.ts';
import { readQuery } from '../http/query.ts';
import type { Services } from '../services.ts';

/** Explanations of groups, by an AI or by rules. */
export function explanationRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.aiSummary, async (event) => {
    const { caller, group } = await requireWritableGroup(services, event);
    await readNoBody(event);
    const requested = await requestExplanation(services, caller, group);
    event.res.status = 202;
    return requested;
  });

  app.get(apiPrefix + paths.aiSummary, async (event) => {
    const { group } = await requireGroup(services, event);
    const { receipt } = readQuery(event, ExplanationQuery);
    return readExplanation(services, group, receipt === 'true');
  });
}
