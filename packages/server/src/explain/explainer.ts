import { ProblemError } from '../problem.ts';
import { readGroup } from '../groups/groups.ts';
import type { Services } from '../services.ts';
import type { Draft } from '../store/draft.ts';
import type { SummaryRecord } from '../store/records.ts';
import { askProvider, ProviderError, providerOf, requestBody } from './ask-provider.ts';
import { builtInModel, explainByRules } from './built-in.ts';
import { packText } from './packed-text.ts';
import { promptFor } from './prompt.ts';

/** So many at a time: a provider that is slow holds up nobody but those who wait for it. */
const mostAtOnce = 4;
const mostFailures = 2;
/** One that ends the process each time it is begun is not begun for ever. */
const mostBegun = 6;
const retryMs = 1_000;
/** A storage that failed is asked again after so long. */
const storageRetryMs = 5_000;

/** What makes explanations. */
export interface Explainer {
  /** Gives up what is under way, which begins anew at the next start. Resolves once nothing is. */
  stop(): Promise<void>;
}

interface Made {
  summary: string;
  model: string;
  /** Null: nothing left the server. */
  sent: string | null;
}

/**
 * Makes every explanation that stands in the log as pending, also those that an earlier process was asked for: a request
 * and its unit are one entry, so that a kill in between ends in one summary and one unit.
 */
export function startExplainer(services: Services): Explainer {
  const { store, log } = services;
  const { summaries } = store.model.tables;
  const provider = providerOf(services.config);
  const stopping = new AbortController();
  const running = new Map<number, Promise<void>>();
  let seen = -1;

  function look(): void {
    if (stopping.signal.aborted || summaries.version === seen) return;
    seen = summaries.version;
    for (const { id, status } of summaries.values()) {
      if (running.size >= mostAtOnce) return;
      if (status === 'pending' && !running.has(id)) begin(id);
    }
  }

  function begin(id: number): void {
    const work = explain(id).catch(async (error: unknown) => {
      log.warn({ err: error, error_group_id: id }, 'an explanation could not be made; it is tried again');
      await wait(storageRetryMs);
    });
    running.set(
      id,
      work.then(() => {
        running.delete(id);
        // One that waited for a turn changed nothing that would have it looked for.
        seen = -1;
        look();
      }),
    );
  }

  /** Rejects if the storage fails: then it is still pending. */
  async function explain(id: number): Promise<void> {
    const record = await store.commit((draft) => {
      const known = pendingOf(draft, id);
      if (!known) return null;
      if (known.begun >= mostBegun) return void fail(draft, known, 'It could not be finished.');
      const begun = { ...known, begun: known.begun + 1 };
      draft.put('summaries', begun);
      return begun;
    });
    if (!record) return;
    try {
      const made = await make(record);
      if (!made) return;
      const sent = made.sent === null ? null : await packText(made.sent);
      await store.commit((draft) => {
        const known = pendingOf(draft, id);
        if (!known || known.requested_at !== record.requested_at) return;
        const generated_at = new Date(draft.now).toISOString();
        const { summary, model } = made;
        draft.put('summaries', { ...known, status: 'ready', summary, model, generated_at, sent, error: null });
      });
    } catch (error) {
      if (stopping.signal.aborted) return;
      if (error instanceof ProblemError) throw error;
      await noteFailure(id, error);
    }
  }

  /** Null: the group is gone. */
  async function make({ id }: SummaryRecord): Promise<Made | null> {
    const group = store.model.groups.get(id);
    if (!group) return null;
    const details = await readGroup(services, group);
    if (!provider) return { summary: explainByRules(details), model: builtInModel, sent: null };
    const sent = requestBody(provider, promptFor(details));
    return { summary: await askProvider(provider, sent, stopping.signal), model: provider.model, sent };
  }

  async function noteFailure(id: number, error: unknown): Promise<void> {
    const isTold = error instanceof ProviderError;
    log.warn({ err: error, error_group_id: id }, 'an explanation failed');
    const isOver = await store.commit((draft) => {
      const known = pendingOf(draft, id);
      if (!known) return true;
      const failed = known.failed + 1;
      if (failed < mostFailures && (!isTold || error.isPassing)) {
        draft.put('summaries', { ...known, failed });
        return false;
      }
      fail(
        draft,
        { ...known, failed },
        isTold ? error.message : 'It could not be made. The log of the server says why.',
      );
      return true;
    });
    if (!isOver) await wait(retryMs);
  }

  function wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(done, ms);
      stopping.signal.addEventListener('abort', done, { once: true });
      function done(): void {
        clearTimeout(timer);
        stopping.signal.removeEventListener('abort', done);
        resolve();
      }
    });
  }

  const unfollow = store.follow(look);
  look();
  return {
    async stop() {
      unfollow();
      stopping.abort();
      await Promise.all(running.values());
    },
  };
}

function pendingOf(draft: Draft, id: number): SummaryRecord | null {
  const known = draft.get('summaries', id);
  return known?.status === 'pending' && draft.group(id) ? known : null;
}

/** The unit goes back to the month that it was taken from. */
function fail(draft: Draft, record: SummaryRecord, error: string): void {
  draft.put('summaries', { ...record, status: 'failed', error });
  draft.countAi(record.team_id, record.month, -1);
}
