import { useSignal } from '@preact/signals';
import type { Notifications, Project, TestSent } from '@service/protocol';
import { call, errorMessage } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loaded } from '../../components/loaded.tsx';
import { showToast } from '../../components/toast.tsx';
import { Checkbox, InputField, SelectField } from '../../forms/fields.tsx';
import { Form } from '../../forms/form.tsx';
import { splitEntries } from '../../forms/list-entries.ts';
import { canWrite } from '../../session/session.ts';

const formats = [
  ['slack', 'Slack'],
  ['mattermost', 'Mattermost'],
] as const;

/** The channels on which the team is notified about new and returning errors. */
export function NotificationSettings({ project }: { project: Project }) {
  const path = `/projects/${project.id}/notifications`;
  const load = useLoad<Notifications>(path);
  const saves = useSignal(0);
  return (
    <Loaded load={load}>
      {({ email, webhook }) => (
        <div class="sections">
          <p>Get notified about new and returning errors, up to 60 per hour.</p>
          <Form<'mail' | 'to' | 'hook' | 'url' | 'format'>
            fieldNames={{ 'email.to': 'to', 'webhook.url': 'url' }}
            submit="Save"
            disabled={!canWrite()}
            onSubmit={async ({ mail, to, hook, url, format }) => {
              const body = {
                email: { enabled: !!mail, to: splitEntries(to) },
                webhook: { enabled: !!hook, url: url || null, format },
              };
              await call('PUT', path, body);
              load.reload();
              saves.value++;
              showToast('Saved.');
            }}
          >
            <h2>E-mail</h2>
            <Checkbox name="mail" label="Send e-mails" checked={email.enabled} />
            <InputField
              name="to"
              label="Recipients"
              hint="Comma-separated, up to 20"
              defaultValue={email.to.join(', ')}
              expected="Enter at most 20 e-mail addresses such as team@example.com, and at least one to send e-mails."
            />
            <h2>Webhook</h2>
            <Checkbox name="hook" label="Send to Slack or Mattermost" checked={webhook.enabled} />
            <InputField
              name="url"
              label="URL of the incoming webhook"
              maxLength={2_048}
              defaultValue={webhook.url ?? ''}
              expected="Enter the webhook URL from Slack or Mattermost. It starts with https:// or http:// and has no user name."
            />
            <SelectField name="format" label="Format" value={webhook.format} options={formats} />
          </Form>
          {canWrite() && (
            // The key resets the result: it belongs to the settings that were saved before.
            <TestMessage key={saves.value} path={`${path}/test`} isEnabled={email.enabled || webhook.enabled} />
          )}
        </div>
      )}
    </Loaded>
  );
}

const channelNames = { email: 'e-mail', webhook: 'webhook' } as const;

/** Sends a test message, and shows the result of each channel. The server waits some seconds for the delivery. */
function TestMessage({ path, isEnabled }: { path: string; isEnabled: boolean }) {
  const isBusy = useSignal(false);
  const problems = useSignal<readonly string[]>([]);
  const send = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    problems.value = [];
    try {
      const { sent, failed = [] } = await call<TestSent>('POST', path);
      problems.value = failed.map(({ detail }) => detail);
      if (sent.length > 0) showToast(`Test message sent by ${sent.map((name) => channelNames[name]).join(' and ')}.`);
    } catch (error) {
      problems.value = [errorMessage(error)];
    }
    isBusy.value = false;
  };
  return (
    <section>
      <button disabled={!isEnabled} aria-busy={isBusy.value} onClick={send}>
        {isBusy.value ? 'Sending…' : 'Send a test message'}
      </button>
      <div role="alert">
        {problems.value.map((problem) => (
          <p key={problem} class="problem">
            {problem}
          </p>
        ))}
      </div>
    </section>
  );
}
