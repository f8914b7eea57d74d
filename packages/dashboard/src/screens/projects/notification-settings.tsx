import { useSignal } from '@preact/signals';
import type { ChannelName, Notifications, Project, TestSent } from '@service/protocol';
import { call } from '../../api/call.ts';
import { errorMessage } from '../../api/api-error.ts';
import { useLoad } from '../../api/use-load.ts';
import { Loaded } from '../../components/loaded.tsx';
import { showToast } from '../../components/toast.tsx';
import { Form } from '../../forms/form.tsx';
import { canWrite } from '../../session/permissions.ts';
import { PendingRecipients } from './pending-recipients.tsx';
import { ChannelFields, channelTitle, listChannels, readChannels } from './notification-channels.tsx';

/** The channels on which the team is notified about new and returning errors. */
export function NotificationSettings({ project }: { project: Project }) {
  const path = `/projects/${project.id}/notifications`;
  const load = useLoad<Notifications>(path);
  const saves = useSignal(0);
  return (
    <Loaded load={load}>
      {(settings) => (
        <div class="sections">
          <p>Get notified about new and returning errors, up to 60 per hour.</p>
          <Form
            submit="Save"
            disabled={!canWrite()}
            onSubmit={async (values) => {
              await call('PUT', path, readChannels(values));
              load.reload();
              saves.value++;
              showToast('Saved.');
            }}
          >
            <ChannelFields settings={settings} />
          </Form>
          <PendingRecipients key={`recipients ${saves.value}`} path={path} />
          {canWrite() && (
            // A new key clears the result of the last test, which was made with the previous settings.
            <TestMessage
              key={saves.value}
              path={`${path}/test`}
              isEnabled={Object.values(settings).some(({ enabled }) => enabled)}
            />
          )}
        </div>
      )}
    </Loaded>
  );
}

/** Sends a test message, and shows the result of each channel. The server waits some seconds for the delivery. */
function TestMessage({ path, isEnabled }: { path: string; isEnabled: boolean }) {
  const isBusy = useSignal(false);
  const problems = useSignal<readonly { channel: ChannelName | null; text: string }[]>([]);
  const send = async (): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    problems.value = [];
    try {
      const { sent, failed = [] } = await call<TestSent>('POST', path);
      problems.value = failed.map(({ channel, detail }) => ({ channel, text: `${channelTitle(channel)}: ${detail}` }));
      if (sent.length > 0) showToast(`Test message sent by ${listChannels(sent)}.`);
    } catch (error) {
      problems.value = [{ channel: null, text: errorMessage(error) }];
    }
    isBusy.value = false;
  };
  return (
    <section>
      <button disabled={!isEnabled} aria-busy={isBusy.value} onClick={send}>
        {isBusy.value ? 'Sending…' : 'Send a test message'}
      </button>
      <div role="alert">
        {problems.value.map(({ channel, text }) => (
          <p key={channel} class="problem">
            {text}
          </p>
        ))}
      </div>
    </section>
  );
}
