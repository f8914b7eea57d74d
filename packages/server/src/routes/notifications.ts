import { apiPrefix, NotificationsInput, PageQuery, paths, RecipientInput } from '@service/protocol';
import type { H3 } from 'h3';
import { readBody, readNoBody } from '../http/body.ts';
import { requireProject, requireWritableProject } from '../http/require-project.ts';
import { assertNoQuery, readQuery } from '../http/query.ts';
import { askRecipientAgain, listRecipients } from '../notify/project-recipients.ts';
import { sendTest } from '../notify/send-test.ts';
import { readNotifications, setNotifications } from '../notify/settings.ts';
import type { Services } from '../services.ts';

/** Settings, test messages and recipients of the notifications of a project. */
export function notificationRoutes(app: H3, services: Services): void {
  app.get(apiPrefix + paths.notifications, async (event) => {
    const { caller, project } = await requireProject(services, event);
    assertNoQuery(event);
    return readNotifications(services, caller, project);
  });

  app.put(apiPrefix + paths.notifications, async (event) => {
    const { caller, project } = await requireWritableProject(services, event);
    return setNotifications(services, caller, project, await readBody(event, NotificationsInput));
  });

  app.post(apiPrefix + paths.notificationTest, async (event) => {
    const { caller, project } = await requireWritableProject(services, event);
    await readNoBody(event);
    const sent = await sendTest(services, caller, project);
    event.res.status = 202;
    return sent;
  });

  app.get(apiPrefix + paths.recipients, async (event) => {
    const { project } = await requireProject(services, event);
    return listRecipients(services, project, readQuery(event, PageQuery));
  });

  app.post(apiPrefix + paths.askRecipient, async (event) => {
    const { caller, project } = await requireWritableProject(services, event);
    const { email } = await readBody(event, RecipientInput);
    const recipient = await askRecipientAgain(services, caller, project, email);
    event.res.status = 202;
    return recipient;
  });
}
