import { useSignal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Explanation as Told, GroupDetails } from '@service/protocol';
import { call, explain, get, Refusal } from '../../api/call.ts';
import { useLoad } from '../../api/use-load.ts';
import { Pre } from '../../components/copy.tsx';
import { Fold } from '../../components/disclosure.tsx';
import { Loaded } from '../../components/loaded.tsx';
import { Ago } from '../../components/time.tsx';
import { Markdown } from '../../components/markdown.tsx';
import { Prose } from '../../components/prose.tsx';
import { mayWrite } from '../../session/session.ts';
import { usage } from '../../session/usage.ts';

/** What a model makes of the error: asked for, on its way, there, or failed; and what it costs. */
export function Explanation({ group }: { group: GroupDetails }) {
  const { error_group_id: id, ai_summary } = group;
  const path = `/errors/${id}/ai-summary`;
  // Never asked for, there is nothing to read.
  const isAsked = useSignal(ai_summary !== null);
  /** Why the last request for an explanation failed. */
  const problem = useSignal('');
  const load = useLoad(path, async () => (isAsked.value ? get<Told>(path) : null));
  // What was there stays until the newer one is.
  useLayoutEffect(() => {
    isAsked.value ||= ai_summary !== null;
    problem.value = '';
    load.reload();
  }, [ai_summary]);
  const told = load.value;
  const ai = usage.value?.ai;
  const left = ai?.quota == null ? null : Math.max(0, ai.quota - ai.used);
  const isPending = told?.status === 'pending';
  const ask = async (): Promise<void> => {
    problem.value = '';
    try {
      await call('POST', path);
      isAsked.value = true;
    } catch (error) {
      // 409: another member asked first, and that explanation is pending. After any other error, nothing was asked.
      if (error instanceof Refusal && error.status === 409) isAsked.value = true;
      else problem.value = explain(error);
    }
    load.reload();
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
          <button class="small" disabled={isPending || left === 0} onClick={ask}>
            {isPending ? 'Writing…' : told?.summary ? 'Explain again' : 'Explain this error'}
          </button>
        )}
      </header>
      <div role="status">
        {isPending && <Prose id="explaining" />}
        {left === 0 && !isPending && <Prose id="explanations-used" />}
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
          <Fold title="What was sent" class="raw">
            <Receipt path={path} />
          </Fold>
        </>
      )}
      {!told && !isPending && ai_summary === null && left !== 0 && <Prose id="explain" />}
    </section>
  );
}

/** Exactly what went to the provider. */
function Receipt({ path }: { path: string }) {
  const load = useLoad<Told>(`${path}?receipt=true`);
  return (
    <Loaded of={load}>
      {({ sent }) => (sent == null ? <Prose id="nothing-sent" /> : <Pre name="What was sent" text={sent} />)}
    </Loaded>
  );
}
