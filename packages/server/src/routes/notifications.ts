import { apiPrefix, NotificationsInput, paths } from '@service/protocol';
import type { H3, H3Event } from 'h3';
import { assertMayWrite, type Caller } from '../accounts/caller.ts';
import { authenticate } from '../http/authenticate.ts';
import { readBody, readNoBody } from '../http/body.ts';
import { pathId, readNoQuery } from '../http/query.ts';
import { sendTest } from '../notify/send-test.ts';
import { readNotifications, setNotifications } from '../notify/settings.ts';
import { findProject } from '../projects/projects.ts';
import type { Services } from '../services.ts';
import type { ProjectRecord } from '../store/records.ts';

/** Who is told of new and reopened groups. */
export function notificationRoutes(app: H3, services: Services): void {
  app.get(apiPrefix + paths.notifications, async (event) => {
    const { caller, project } = await readable(event);
    readNoQuery(event);
    return readNotifications(services, caller, project);
  });

  app.put(apiPrefix + paths.notifications, async (event) => {
    const { caller, project } = await writable(event);
    return setNotifications(services, caller, project, await readBody(event, NotificationsInput));
  });

  app.post(apiPrefix + paths.notificationTest, async (event) => {
    const { caller, project } = await writable(event);
    await readNoBody(event);
    const sent = await sendTest(services, caller, project);
    event.res.status = 202;
    return sent;
  });

  async function readable(event: H3Event): Promise<{ caller: Caller; project: ProjectRecord }> {
    const caller = await authenticate(services, event);
    return { caller, project: findProject(services, caller, pathId(event, 'id')) };
  }

  async function writable(event: H3Event): Promise<{ caller: Caller; project: ProjectRecord }> {
    const found = await readable(event);
    assertMayWrite(found.caller);
    return found;
  }
}
