import { apiPrefix, GroupQuery, GroupStatusInput, MergeInput, PageQuery, paths } from '@service/protocol';
import type { H3 } from 'h3';
import {
  deleteGroup,
  listGroups,
  listReports,
  readGroup,
  readReportDetails,
  readResolution,
  setGroupStatus,
} from '../groups/groups.ts';
import { listMergedGroups, mergeGroups, unmergeGroups } from '../groups/merge-groups.ts';
import { listSimilarGroups } from '../groups/similar-groups.ts';
import { authenticate } from '../http/authenticate.ts';
import { readBody } from '../http/body.ts';
import { respondToPreflight } from '../http/cors.ts';
import { incomingOf } from '../http/incoming.ts';
import { requireGroup, requireWritableGroup } from '../http/require-group.ts';
import { assertNoQuery, readQuery } from '../http/query.ts';
import { pathId } from '../http/path-id.ts';
import type { Services } from '../services.ts';
import { receiveReport, reportPath } from '../receive/receive-report.ts';

/** Receives reports, and reads and changes groups. */
export function errorRoutes(app: H3, services: Services): void {
  // Reports over a socket take a shorter path: see `createReportHandler`.
  app.post(reportPath, async (event) => {
    const { status, headers, body } = await receiveReport(services, incomingOf(event));
    return new Response(body, { status, headers });
  });

  app.options(apiPrefix + paths.errors, (event) => respondToPreflight(services, event));

  app.get(apiPrefix + paths.errors, async (event) => {
    const caller = await authenticate(services, event);
    return listGroups(services, caller, readQuery(event, GroupQuery));
  });

  app.get(apiPrefix + paths.group, async (event) => {
    const { group } = await requireGroup(services, event);
    assertNoQuery(event);
    return readGroup(services, group);
  });

  app.delete(apiPrefix + paths.group, async (event) => {
    const { caller, group } = await requireWritableGroup(services, event);
    assertNoQuery(event);
    await deleteGroup(services, caller, group, pathId(event, 'group_id'));
    event.res.status = 204;
    return null;
  });

  app.get(apiPrefix + paths.resolution, async (event) => {
    const { group } = await requireGroup(services, event);
    assertNoQuery(event);
    return readResolution(services, group);
  });

  app.patch(apiPrefix + paths.groupStatus, async (event) => {
    const { caller, group } = await requireWritableGroup(services, event);
    const { status } = await readBody(event, GroupStatusInput);
    return setGroupStatus(services, caller, group, status);
  });

  app.get(apiPrefix + paths.mergedGroups, async (event) => {
    const { group } = await requireGroup(services, event);
    return listMergedGroups(services, group, readQuery(event, PageQuery));
  });

  app.get(apiPrefix + paths.similarGroups, async (event) => {
    const { caller, group } = await requireGroup(services, event);
    assertNoQuery(event);
    return listSimilarGroups(services, caller, group);
  });

  app.post(apiPrefix + paths.mergeGroups, async (event) => {
    const { caller, group } = await requireWritableGroup(services, event);
    const { group_ids } = await readBody(event, MergeInput);
    return mergeGroups(services, caller, group, group_ids);
  });

  app.post(apiPrefix + paths.unmergeGroups, async (event) => {
    const { caller, group } = await requireWritableGroup(services, event);
    const { group_ids } = await readBody(event, MergeInput);
    return unmergeGroups(services, caller, group, group_ids);
  });

  app.get(apiPrefix + paths.reports, async (event) => {
    const { group } = await requireGroup(services, event);
    return listReports(services, group, readQuery(event, PageQuery));
  });

  app.get(apiPrefix + paths.report, async (event) => {
    const { group } = await requireGroup(services, event);
    const report = await readReportDetails(services, group, pathId(event, 'report_id'));
    assertNoQuery(event);
    return report;
  });
}
