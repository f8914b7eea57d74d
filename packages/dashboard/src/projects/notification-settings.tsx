import type { Notifications, Project } from '@service/protocol';
import { call } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { attempt, say } from '../parts/notice.tsx';
import { Prose } from '../parts/prose.tsx';
import { mayWrite } from '../session/session.ts';

/** Who is told of errors that are new or have come back. */
export function NotificationSettings({ project }: { project: Project }) {
  const path = `/projects/${project.id}/notifications`;
  const load = useLoad<Notifications>(path);
  return (
    <Loaded of={load}>
      {({ email, webhook }) => (
        <div class="sections">
          <Prose id="notify" />
          <Form
            fields="notifications"
            values={{
              mail: email.enabled,
              to: email.to.join(', '),
              hook: webhook.enabled,
              url: webhook.url ?? '',
              format: webhook.format,
            }}
            submit="Save"
            disabled={!mayWrite()}
            run={async ({ mail, to = '', hook, url, format }) => {
              const body = {
                email: { enabled: !!mail, to: to.split(/[\s,;]+/).filter(Boolean) },
                webhook: { enabled: !!hook, url: url || null, format },
              };
              await call('PUT', path, body);
              load.reload();
              say('Saved.');
            }}
          />
          {mayWrite() && (
            <button
              disabled={!email.enabled && !webhook.enabled}
              onClick={() => attempt(() => call('POST', `${path}/test`), 'A test is on its way.')}
            >
              Send a test
            </button>
          )}
        </div>
      )}
    </Loaded>
  );
}
