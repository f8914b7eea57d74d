import { apiPrefix, GroupQuery, GroupStatusInput, limits, PageQuery, paths } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { assertMayWrite, type Caller } from '../accounts/caller.ts';
import {
  deleteGroup,
  findGroup,
  listGroups,
  listReports,
  readGroup,
  readReport,
  setGroupStatus,
} from '../groups/groups.ts';
import { authenticate } from '../http/bearer.ts';
import { readBody, readJson } from '../http/body.ts';
import { answerPreflight } from '../http/cors.ts';
import { answerReport } from '../http/report-answer.ts';
import { pathId, readNoQuery, readQuery } from '../http/query.ts';
import { ingest } from '../ingest/ingest.ts';
import type { Services } from '../services.ts';
import type { GroupState } from '../store/group-state.ts';

/** Reports come in here, and groups are read and settled. */
export function errorRoutes(app: H3, services: Services): void {
  app.post(apiPrefix + paths.errors, (event) =>
    answerReport(services, event, async () => {
      const body = await readJson(event, limits.reportBodyBytes);
      return ingest(services, body, { userAgent: userAgentOf(event), receivedAt: services.now() });
    }),
  );

  app.options(apiPrefix + paths.errors, (event) => answerPreflight(services, event));

  app.get(apiPrefix + paths.errors, async (event) => {
    const caller = await authenticate(services, event);
    return listGroups(services, caller, readQuery(event, GroupQuery));
  });

  app.get(apiPrefix + paths.group, async (event) => {
    const { group } = await readable(event);
    readNoQuery(event);
    return readGroup(services, group);
  });

  app.delete(apiPrefix + paths.group, async (event) => {
    const group = await writable(event);
    readNoQuery(event);
    await deleteGroup(services, group);
    event.res.status = 204;
    return null;
  });

  app.patch(apiPrefix + paths.groupStatus, async (event) => {
    const group = await writable(event);
    const { status } = await readBody(event, GroupStatusInput);
    return setGroupStatus(services, group, status);
  });

  app.get(apiPrefix + paths.reports, async (event) => {
    const { group } = await readable(event);
    return listReports(services, group, readQuery(event, PageQuery));
  });

  app.get(apiPrefix + paths.report, async (event) => {
    const { group } = await readable(event);
    readNoQuery(event);
    return readReport(services, group, pathId(event, 'report_id'));
  });

  async function readable(event: H3Event): Promise<{ caller: Caller; group: GroupState }> {
    const caller = await authenticate(services, event);
    return { caller, group: findGroup(services, caller, pathId(event, 'group_id')) };
  }

  async function writable(event: H3Event): Promise<GroupState> {
    const { caller, group } = await readable(event);
    assertMayWrite(caller);
    return group;
  }
}

/** A browser's report may leave its User-Agent to the request; a program's own would say nothing of the error. */
function userAgentOf(event: H3Event): string | null {
  return event.req.headers.has('origin') ? event.req.headers.get('user-agent') : null;
}
