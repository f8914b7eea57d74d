import { use, useSignal } from '../state/signal.ts';
import { useEffect } from 'preact/hooks';
import type { ErrorGroup, Project } from '@service/protocol';
import { call } from '../api/call.ts';
import { listen, live } from '../live/live.ts';
import { Snippet } from '../parts/copy.tsx';
import { attempt } from '../parts/notice.tsx';
import { Prose, textOf } from '../parts/prose.tsx';
import { Ago } from '../parts/time.tsx';
import { pageFacts } from '../session/page-facts.ts';
import { usage } from '../session/usage.ts';

/** From nothing to the first report: what to write where, and whether it has come. */
export function Connect({ project }: { project: Project }) {
  const way = useSignal('npm');
  const arrived = useSignal<ErrorGroup | null>(null);
  useEffect(
    () =>
      listen((event) => {
        if ('group' in event && event.project_id === project.id) arrived.value = event.group;
      }),
    [project.id],
  );
  return (
    <div class="connect">
      <section>
        <h2>1. Add these lines</h2>
        <Prose id="step-1" />
        <div class="tabs">
          {['npm', 'React', 'Vue', 'curl'].map((name) => (
            <button key={name} aria-pressed={name === way.value} onClick={() => (way.value = name)}>
              {name}
            </button>
          ))}
        </div>
        <Snippet text={snippet(project, way.value)} name={`Code for ${way.value}`} />
        <Prose id="key-is-public" />
      </section>
      <section>
        <h2>2. Let something fail</h2>
        <p>
          Throw an error in the app, or try the way from here{pageFacts.hasDemo && ', or press the buttons of '}
          {pageFacts.hasDemo && <a href="/demo">the demo</a>}.
        </p>
        <button onClick={() => attempt(() => sendTest(project))}>Send a test error</button>
        <Arrival group={arrived.value} />
      </section>
      <Prose id="nothing-comes" />
    </div>
  );
}

/** What an app begins with, by how it is made. */
export function snippet({ api_key }: Project, way = 'npm'): string {
  return textOf(`way-${way}`, { key: api_key, origin: location.origin });
}

function Arrival({ group }: { group: ErrorGroup | null }) {
  const isLive = use(live).kind === 'live';
  const isRefused = use(usage)?.errors.refused_since;
  return (
    <p class={group ? 'arrival here' : 'arrival'} role="status">
      <i class={isLive ? 'pulse' : 'pulse off'} />
      {group ? (
        <span>
          It works: <a href={`/groups/${group.error_group_id}`}>{group.type ?? group.message.slice(0, 80)}</a>,{' '}
          <Ago at={group.last_seen} />
        </span>
      ) : isRefused ? (
        'Reports come, but the quota is used up: they are refused.'
      ) : isLive ? (
        'Waiting for the first report…'
      ) : (
        'Waiting for the connection…'
      )}
    </p>
  );
}

/** As the SDK would, with what this browser is. */
function sendTest({ api_key }: Project): Promise<unknown> {
  const message = 'A test error from the dashboard';
  return call('POST', '/errors', {
    project_api_key: api_key,
    message,
    type: 'TestError',
    stacktrace: `TestError: ${message}\n    at sendTest (${location.origin}/test-error.js:1:1)`,
    environment: 'test',
    url: location.href,
    user_agent: navigator.userAgent,
  });
}
