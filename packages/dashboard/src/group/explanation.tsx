import { use, useSignal } from '../state/signal.ts';
import { useEffect, useRef } from 'preact/hooks';
import type { Explanation as Told, GroupDetails } from '@service/protocol';
import { call, explain, get, Refusal } from '../api/call.ts';
import { useLoad } from '../api/use-load.ts';
import { Pre } from '../parts/copy.tsx';
import { Ago } from '../parts/time.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { Prose } from '../parts/prose.tsx';
import { mayWrite } from '../session/session.ts';
import { usage } from '../session/usage.ts';

/** What a model makes of the error: asked for, on its way, there, or failed; and what it costs. */
export function Explanation({ group }: { group: GroupDetails }) {
  const { error_group_id: id, ai_summary } = group;
  const path = `/errors/${id}/ai-summary`;
  // Never asked for, there is nothing to read.
  const load = useLoad(path, async () => (ai_summary === null ? null : get<Told>(path)));
  const wasStatus = useRef(ai_summary);
  useEffect(() => {
    // What was there stays until the newer one is.
    if (wasStatus.current !== ai_summary) load.reload();
    wasStatus.current = ai_summary;
  }, [ai_summary]);
  const problem = useSignal('');
  const isAsking = useSignal(false);
  const told = load.value;
  const ai = use(usage)?.ai;
  const left = ai?.quota == null ? null : Math.max(0, ai.quota - ai.used);
  const isUsedUp = left === 0;
  const isPending = ai_summary === 'pending' || isAsking.value || told?.status === 'pending';

  const ask = async (): Promise<void> => {
    problem.value = '';
    isAsking.value = true;
    try {
      await call('POST', path);
    } catch (error) {
      isAsking.value = false;
      // Somebody else was quicker: what they have asked for is on its way.
      if (!(error instanceof Refusal && error.code === 'generation_in_progress')) problem.value = explain(error);
      return;
    }
    // The stream tells when it is there; until the page knows that it is pending, the button stays as it is.
    setTimeout(() => (isAsking.value = false), 3_000);
  };

  return (
    <section id="explanation" class="explanation" aria-busy={isPending}>
      <header>
        <h2>AI explanation</h2>
        {left !== null && (
          <span class="soft">
            {left.toLocaleString()} of {ai?.quota?.toLocaleString()} left this month
          </span>
        )}
        {mayWrite() && (
          <button class="small" disabled={isPending || isUsedUp} onClick={ask}>
            {isPending ? 'Writing…' : told?.summary ? 'Explain again' : 'Explain this error'}
          </button>
        )}
      </header>
      <div role="status">
        {isPending && <Prose id="explaining" />}
        {isUsedUp && !isPending && <Prose id="explanations-used" />}
        {told?.status === 'failed' && <p class="problem">It could not be written: {told.error}</p>}
        {problem.value && <p class="problem">{problem.value}</p>}
        {load.error && <p class="problem">{explain(load.error)}</p>}
      </div>
      {told?.summary && (
        <>
          <Markdown text={told.summary} />
          <p class="soft">
            By {told.model}, {told.generated_at && <Ago at={told.generated_at} suffix=" ago" />}. It may be wrong.
          </p>
          <Receipt path={path} />
        </>
      )}
      {!told && !isPending && ai_summary === null && !isUsedUp && <Prose id="explain" />}
    </section>
  );
}

/** Exactly what went to the provider. */
function Receipt({ path }: { path: string }) {
  const isOpen = useSignal(false);
  return (
    <details class="raw" onToggle={(event) => (isOpen.value = event.currentTarget.open)}>
      <summary>What was sent</summary>
      {isOpen.value && <Sent path={path} />}
    </details>
  );
}

function Sent({ path }: { path: string }) {
  const load = useLoad<Told>(`${path}?receipt=true`);
  if (load.error) return <p class="problem">{explain(load.error)}</p>;
  if (!load.value) return <p class="soft">Loading…</p>;
  if (load.value.sent == null) return <Prose id="nothing-sent" />;
  return <Pre name="What was sent" text={load.value.sent} />;
}
