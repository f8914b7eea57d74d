import { useSignal } from '@preact/signals';
import type { ErrorGroup, Page, Project } from '@service/protocol';
import { useLayoutEffect } from 'preact/hooks';
import { call } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Snippet } from '../../components/snippet.tsx';
import { Disclosure } from '../../components/disclosure.tsx';
import { TimeAgo } from '../../components/time.tsx';
import { runWithToast } from '../../components/toast.tsx';
import { liveState, onEvent } from '../../live/live-events.ts';
import { hasFact } from '../../server-facts.ts';
import { isOperator } from '../../session/permissions.ts';
import { usage } from '../../session/usage.ts';
import { AllowOrigin } from './allow-origin.tsx';
import { snippetInstructions, snippets, testReport, type SnippetName } from './snippets.ts';
import { useDsn } from './use-dsn.ts';

/** Returns whether an event may show a new report. Others show actions of users. */
const isOfReport = (type: string): boolean => /^group\.(?:created|updated|reopened)$/.test(type);

/** The steps from a new project to its first report. */
export function SetupGuide({ project }: { project: Project }) {
  const arrived = useSignal<ErrorGroup | null>(null);
  // The demo reports to the project that it has created under this name.
  const isOfDemo = hasFact('demo') && project.name === 'Demo';
  const { value: previous } = useLoad<Page<ErrorGroup>>(`/errors?size=1&project_id=${project.id}`);
  useLayoutEffect(
    () =>
      onEvent((event) => {
        if ('group' in event && isOfReport(event.type) && event.project_id === project.id) arrived.value = event.group;
      }),
    [project.id],
  );
  return (
    <div class="connect">
      <AddSdk project={project} />
      <section>
        <hgroup>
          <h2>2. Send a test error</h2>
          <p>
            Throw an error in your app{isOfDemo ? ', ' : ' or '}send one from here
            {isOfDemo && (
              <>
                , or use the buttons of <a href="/demo">the demo</a>
              </>
            )}
            .
          </p>
        </hgroup>
        <button onClick={() => runWithToast(() => call('POST', '/errors', testReport(project)))}>
          Send a test error
        </button>
        <Arrival arrived={arrived.value} previous={previous?.items[0]} />
      </section>
      <Troubleshooting />
    </div>
  );
}

function AddSdk({ project }: { project: Project }) {
  const chosen = useSignal<SnippetName>('npm');
  const dsn = useDsn(project);
  return (
    <section>
      <hgroup>
        <h2>1. Add the SDK</h2>
        <p>{snippetInstructions[chosen.value]}</p>
      </hgroup>
      <div class="tabs">
        {(Object.keys(snippets) as SnippetName[]).map((name) => (
          <button key={name} aria-pressed={name === chosen.value} onClick={() => (chosen.value = name)}>
            {name}
          </button>
        ))}
      </div>
      <Snippet text={snippets[chosen.value](project, dsn)} name={`Code for ${chosen.value}`} />
      <p class="soft">The key can only send reports, so it is safe to publish.</p>
    </section>
  );
}

interface ArrivalProps {
  /** The group of the latest report since the guide was opened. */
  arrived: ErrorGroup | null;
  /** The latest group before that. */
  previous: ErrorGroup | undefined;
}

/** Shows whether reports arrive, or why they do not. */
function Arrival({ arrived, previous }: ArrivalProps) {
  const isLive = liveState.value.kind === 'live';
  const isRejected = !!usage.value?.errors.refused_since;
  // While reports are rejected, an old one does not prove that the setup works.
  const group = arrived ?? (isRejected ? undefined : previous);
  return (
    <p class={group ? 'arrival here' : 'arrival'} role="status">
      <i class={isLive ? 'pulse' : 'pulse off'} />
      {group ? (
        <span>
          It works: <a href={`/groups/${group.error_group_id}`}>{group.type ?? group.message.slice(0, 80)}</a>,{' '}
          <TimeAgo at={group.last_seen} suffix=" ago" />
        </span>
      ) : isRejected ? (
        'Quota reached: new reports are rejected.'
      ) : isLive ? (
        'Waiting for the first report…'
      ) : (
        'Waiting for the connection…'
      )}
    </p>
  );
}

function Troubleshooting() {
  return (
    <section>
      <h2>No errors arriving?</h2>
      <details>
        <summary>The console shows status 429</summary>
        <p>
          The monthly quota is used up: see <a href="/usage">usage and plan</a>. The SDK stops sending until the page is
          reloaded.
        </p>
      </details>
      <Disclosure id="cors" title="The console shows a CORS error" class="">
        <p>Only allowed origins can send reports. Once an origin is added, localhost must be added too.</p>
        {isOperator() ? (
          <AllowOrigin />
        ) : (
          <p>
            Ask an owner of the team that operates this server to add the origin. The operator can also set it when the
            server starts: <code>--cors-origin URL</code>.
          </p>
        )}
      </Disclosure>
      <details>
        <summary>The console shows nothing</summary>
        <p>
          Is <code>init</code> called before the error occurs? Does the app’s Content-Security-Policy list this server
          in <code>connect-src</code>? Does an ad blocker stop the request?
        </p>
      </details>
    </section>
  );
}
