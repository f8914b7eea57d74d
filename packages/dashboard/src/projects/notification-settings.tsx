import type { Notifications, Project, TestSent } from '@service/protocol';
import { call, explain, get } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { Field, Form } from '../parts/form.tsx';
import { Loaded } from '../parts/loaded.tsx';
import { say } from '../parts/notice.tsx';
import { mayWrite } from '../session/session.ts';

/** Who is told of errors that are new or have come back. */
export function NotificationSettings({ project }: { project: Project }) {
  const path = `/projects/${project.id}/notifications`;
  const load = useLoad(path, () => get<Notifications>(path));
  const readOnly = !mayWrite();
  return (
    <Loaded of={load}>
      {({ email, webhook }) => (
        <div class="sections">
          <p>A message for every error that is new or has come back, and never more than 60 an hour.</p>
          <Form
            submit="Save"
            disabled={readOnly}
            run={async (values) => {
              const body: Notifications = {
                email: { enabled: values.mail === 'on', to: (values.to ?? '').split(/[\s,;]+/).filter(Boolean) },
                webhook: {
                  enabled: values.hook === 'on',
                  url: values.url || null,
                  format: values.format === 'mattermost' ? 'mattermost' : 'slack',
                },
              };
              load.set(await call<Notifications>('PUT', path, body));
              say('Saved.');
            }}
          >
            <fieldset disabled={readOnly}>
              <legend>E-mail</legend>
              <label class="switch">
                <input type="checkbox" name="mail" defaultChecked={email.enabled} /> Send e-mails
              </label>
              <Field label="To" hint="Addresses, by commas. At most 20.">
                <input name="to" defaultValue={email.to.join(', ')} autocomplete="off" />
              </Field>
            </fieldset>
            <fieldset disabled={readOnly}>
              <legend>Webhook</legend>
              <label class="switch">
                <input type="checkbox" name="hook" defaultChecked={webhook.enabled} /> Post to a channel
              </label>
              <Field label="URL of the incoming webhook">
                <input name="url" defaultValue={webhook.url ?? ''} autocomplete="off" maxLength={2048} />
              </Field>
              <Field label="For">
                <select name="format" defaultValue={webhook.format}>
                  {(['slack', 'mattermost'] as const).map((format) => (
                    <option key={format} value={format} selected={format === webhook.format}>
                      {format === 'slack' ? 'Slack' : 'Mattermost'}
                    </option>
                  ))}
                </select>
              </Field>
            </fieldset>
          </Form>
          {!readOnly && (
            <button
              type="button"
              disabled={!email.enabled && !webhook.enabled}
              onClick={async () => {
                try {
                  const { sent } = await call<TestSent>('POST', `${path}/test`);
                  say(sent.length === 0 ? 'Nothing is enabled.' : `A test is on its way by ${sent.join(' and ')}.`);
                } catch (error) {
                  say(explain(error), true);
                }
              }}
            >
              Send a test
            </button>
          )}
        </div>
      )}
    </Loaded>
  );
}
