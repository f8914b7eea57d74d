import type { Notifications, Project, TestSent } from '@service/protocol';
import { call, explain } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { entriesOf } from '../../components/list-entries.ts';
import { Form } from '../../components/form.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { say } from '../../components/toast.tsx';
import { Prose } from '../../components/prose.tsx';
import { mayWrite } from '../../session/session.ts';
import { useSignal } from '@preact/signals';

/** Who is told of errors that are new or have come back. */
export function NotificationSettings({ project }: { project: Project }) {
  const path = `/projects/${project.id}/notifications`;
  const load = useLoad<Notifications>(path);
  const saves = useSignal(0);
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
            names={{ 'email.to': 'to', 'webhook.url': 'url' }}
            submit="Save"
            disabled={!mayWrite()}
            run={async ({ mail, to = '', hook, url, format }) => {
              const body = {
                email: { enabled: !!mail, to: entriesOf(to) },
                webhook: { enabled: !!hook, url: url || null, format },
              };
              await call('PUT', path, body);
              load.reload();
              saves.value++;
              say('Saved.');
            }}
          />
          {mayWrite() && (
            // Keyed by the saves: the result of a test says nothing about the targets that were saved after it.
            <TestMessage key={saves.value} path={`${path}/test`} isEnabled={email.enabled || webhook.enabled} />
          )}
        </div>
      )}
    </Loaded>
  );
}

const channels = { email: 'e-mail', webhook: 'webhook' } as const;

/** Sends a test message, and shows for each channel whether it was taken. The server waits for that some seconds. */
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
      if (sent.length > 0)
        say(`The test message was delivered by ${sent.map((name) => channels[name]).join(' and ')}.`);
    } catch (error) {
      problems.value = [explain(error)];
    }
    isBusy.value = false;
  };
  return (
    <section>
      <button disabled={!isEnabled} aria-busy={isBusy.value} onClick={send}>
        {isBusy.value ? 'Sending the test…' : 'Send a test'}
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
