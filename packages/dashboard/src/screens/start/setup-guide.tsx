import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { ErrorGroup, Page, Project } from '@service/protocol';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { listen, live } from '../../live/live.ts';
import { Snippet } from '../../components/copy.tsx';
import { Fold } from '../../components/disclosure.tsx';
import { attempt } from '../../components/toast.tsx';
import { Prose, textOf } from '../../components/prose.tsx';
import { Ago } from '../../components/time.tsx';
import { AllowPage } from './allow-origin.tsx';
import { isTold } from '../../session/server-facts.ts';
import { isOperator } from '../../session/session.ts';
import { usage } from '../../session/usage.ts';

/** From nothing to the first report: what to write where, and whether it has come. */
export function Connect({ project }: { project: Project }) {
  const way = useSignal('npm');
  const arrived = useSignal<ErrorGroup | null>(null);
  const { value: known } = useLoad<Page<ErrorGroup>>(`/errors?size=1&project_id=${project.id}`);
  useLayoutEffect(
    () =>
      listen((event) => {
        if ('group' in event && event.project_id === project.id) arrived.value = event.group;
      }),
    [project.id],
  );
  return (
    <div class="connect">
      <section>
        <Prose id="step-1" />
        <div class="tabs">
          {textOf('ways')
            .split(' ')
            .map((name) => (
              <button key={name} aria-pressed={name === way.value} onClick={() => (way.value = name)}>
                {name}
              </button>
            ))}
        </div>
        <Snippet text={snippet(project, way.value)} name={`Code for ${way.value}`} />
        <Prose id="key-is-public" />
      </section>
      <section>
        <Prose id={isTold('demo') ? 'step-2-demo' : 'step-2'} />
        <button onClick={() => attempt(() => sendTest(project))}>Send a test error</button>
        <Arrival arrived={arrived.value} known={known?.items[0]} />
      </section>
      <section>
        <Prose id="console-429" />
        <Fold id="cors" title="The console says CORS" class="">
          <Prose id="console-cors" />
          {isOperator() ? <AllowPage /> : <Prose id="ask-operator" />}
        </Fold>
        <Prose id="console-nothing" />
      </section>
    </div>
  );
}

/** What an app begins with, by how it is made. */
export function snippet({ api_key }: Project, way = 'npm'): string {
  return textOf(`way-${way}`, { key: api_key, origin: location.origin });
}

/** What has come since the page is open, else why nothing comes, else what had come before. */
function Arrival({ arrived, known }: { arrived: ErrorGroup | null; known: ErrorGroup | undefined }) {
  const isLive = live.value.kind === 'live';
  const isRefused = usage.value?.errors.refused_since;
  const group = arrived ?? (isRefused ? undefined : known);
  return (
    <p class={group ? 'arrival here' : 'arrival'} role="status">
      <i class={isLive ? 'pulse' : 'pulse off'} />
      {group ? (
        <span>
          It works: <a href={`/groups/${group.error_group_id}`}>{group.type ?? group.message.slice(0, 80)}</a>,{' '}
          <Ago at={group.last_seen} suffix=" ago" />
        </span>
      ) : (
        textOf(isRefused ? 'refused' : isLive ? 'awaited' : 'unconnected')
      )}
    </p>
  );
}

/** As the SDK would, with what this browser is. */
function sendTest({ api_key }: Project): Promise<unknown> {
  const report = JSON.parse(textOf('test-report', { origin: location.origin })) as object;
  const { userAgent: user_agent } = navigator;
  return call('POST', '/errors', { ...report, project_api_key: api_key, url: location.href, user_agent });
}
