import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { ErrorGroup, Project } from '@service/protocol';
import { call } from '../api/call.ts';
import { say } from '../parts/notice.tsx';
import { Snippet } from '../parts/copy.tsx';
import { listen, live } from '../live/live.ts';
import { pageFacts } from '../session/page-facts.ts';
import { usage } from '../session/usage.ts';
import { Ago } from '../parts/time.tsx';
import { InTheWay } from './in-the-way.tsx';
import { ways } from './ways.ts';

/** From nothing to the first report: what to write where, and whether it has come. */
export function Connect({ project }: { project: Project }) {
  const way = useSignal(0);
  const arrived = useSignal<ErrorGroup | null>(null);
  useEffect(
    () =>
      listen((event) => {
        if ('group' in event && event.project_id === project.id) arrived.value = event.group;
      }),
    [project.id],
  );
  const { name, code } = ways[way.value] ?? ways[0];
  return (
    <div class="connect">
      <section>
        <h2>1. Add these lines</h2>
        <p>At the very start of the app’s entry point, before anything can fail.</p>
        <div class="tabs" role="group" aria-label="How the app is made">
          {ways.map((other, index) => (
            <button
              key={other.name}
              type="button"
              aria-pressed={index === way.value}
              onClick={() => (way.value = index)}
            >
              {other.name}
            </button>
          ))}
        </div>
        <Snippet text={code(project.api_key, location.origin)} name={`Code for ${name}`} />
        <p class="soft">The key can only send reports, so it may be public.</p>
      </section>
      <section>
        <h2>2. Let something fail</h2>
        <p>
          Throw an error in the app, or try the way from here{pageFacts.hasDemo && ', or press the buttons of '}
          {pageFacts.hasDemo && <a href="/demo">the demo</a>}.
        </p>
        <button type="button" onClick={() => sendTest(project)}>
          Send a test error
        </button>
        <Arrival group={arrived.value} />
      </section>
      <InTheWay />
    </div>
  );
}

function Arrival({ group }: { group: ErrorGroup | null }) {
  if (!group) {
    const isRefused = usage.value?.errors.refused_since;
    return (
      <p class="arrival" role="status">
        <i class={live.value.kind === 'live' ? 'pulse' : 'pulse off'} />
        {isRefused
          ? 'Reports come, but the quota is used up: they are refused.'
          : live.value.kind === 'live'
            ? 'Waiting for the first report…'
            : 'Waiting for the connection…'}
      </p>
    );
  }
  return (
    <p class="arrival here" role="status">
      <i class="pulse" />
      <span>
        It works: <a href={`/groups/${group.error_group_id}`}>{group.type ?? group.message.slice(0, 80)}</a> came{' '}
        <Ago at={group.last_seen} suffix=" ago" />.
      </span>
    </p>
  );
}

/** As the SDK would, with what this browser is. */
async function sendTest({ api_key }: Project): Promise<void> {
  try {
    const error = new Error('A test error from the dashboard');
    await call('POST', '/errors', {
      project_api_key: api_key,
      message: error.message,
      type: 'TestError',
      stacktrace: `TestError: ${error.message}\n    at sendTest (${location.origin}/test-error.js:1:1)`,
      environment: 'test',
      url: location.origin + location.pathname,
      user_agent: navigator.userAgent,
      event_id: crypto.randomUUID?.() ?? null,
      breadcrumbs: [
        {
          timestamp: new Date().toISOString(),
          type: 'ui',
          category: 'click',
          data: { selector: 'button', message: 'Send a test error' },
        },
      ],
    });
  } catch (error) {
    say((error as Error).message, true);
  }
}
