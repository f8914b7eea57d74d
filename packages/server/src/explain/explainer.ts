import { ProblemError } from '../problem.ts';
import { readGroup } from '../groups/groups.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { SummaryRecord } from '../store/records/explanation-records.ts';
import { restartDelayMs, startJobRunner, type JobRunner } from '../jobs/job-runner.ts';
import { pause } from '../time/pause.ts';
import { askProvider, ProviderError, providerOf, requestBody } from './ask-provider.ts';
import { builtInModel, explainByRules } from './explain-by-rules.ts';
import { packText } from './packed-text.ts';
import { promptFor } from './prompt.ts';

/** The maximum number of explanations that are generated at a time. A slow provider delays only other explanations. */
const maxConcurrent = 4;
const maxFailures = 2;
/** The maximum number of starts, so that an explanation that crashes the process is not started forever. */
const maxStarts = 6;
const explanationRetryMs = 1_000;

interface Generated {
  summary: string;
  model: string;
}

/**
 * Generates all pending explanations, including those that an earlier process recorded. A request and its quota unit
 * are recorded in one transaction, so a crash never takes a unit without a request.
 */
export function startExplainer(services: Services): JobRunner {
  const { store, log } = services;
  const provider = providerOf(services.config);
  /** Generated explanations that are not in the log yet. */
  const unstored = new Map<number, { record: SummaryRecord; generated: Generated }>();
  return startJobRunner(services, {
    table: store.model.tables.summaries,
    maxConcurrent,
    dueAt,
    laneOf: ({ id }) => id,
    // A provider may take longer than a shutdown should wait. The next process asks it again.
    graceMs: 0,
    run: explain,
    onFailure({ id }, error) {
      log.warn({ err: error, error_group_id: id }, 'an explanation could not be completed; it is retried');
    },
  });

  function dueAt({ id, status, begun, failed, begun_at = 0 }: SummaryRecord): number {
    if (status !== 'pending') return Infinity;
    // An explanation that is already generated only has to be stored.
    return unstored.has(id) ? 0 : begun_at + restartDelayMs(begun - failed);
  }

  /** Rejects if the storage fails. The explanation then stays pending. */
  async function explain({ id }: SummaryRecord, stop: AbortSignal): Promise<void> {
    try {
      const record = unstored.get(id)?.record ?? (await store.commit((transaction) => begin(transaction, id)));
      if (!record) return;
      const generated = unstored.get(id)?.generated ?? (await generate(record, stop));
      if (!generated) return;
      // If the storage fails now, the provider is not asked again: a second request costs money, and its response may
      // differ.
      unstored.set(id, { record, generated });
      await store.commit((transaction) => storeResult(transaction, record, generated));
      unstored.delete(id);
    } catch (error) {
      if (stop.aborted) return unmark(id);
      if (error instanceof ProblemError) throw error;
      await recordFailure(id, error, stop);
    }
  }

  /** Takes back the start that `begin` counted: a graceful stop is not a crash. */
  async function unmark(id: number): Promise<void> {
    await store
      .commit((transaction) => {
        const known = pendingOf(transaction, id);
        if (known && known.begun > 0) transaction.put('summaries', { ...known, begun: known.begun - 1 });
      })
      .catch((error: unknown) =>
        log.warn({ err: error, error_group_id: id }, 'the stop of an explanation could not be recorded'),
      );
  }

  /** Resolves with null if the group or the request was deleted, or the request was replaced. */
  async function generate(record: SummaryRecord, stop: AbortSignal): Promise<Generated | null> {
    const group = store.model.groups.get(record.id);
    if (!group) return null;
    const details = await readGroup(services, group);
    if (!provider) return { summary: explainByRules(details), model: builtInModel };
    const body = requestBody(provider, promptFor(details));
    const sent = await packText(body);
    // The receipt is stored before the request is sent, so it shows everything that was sent.
    const isPending = await store.commit((transaction) => recordSent(transaction, record, sent));
    return isPending ? { summary: await askProvider(provider, body, stop), model: provider.model } : null;
  }

  async function recordFailure(id: number, error: unknown, stop: AbortSignal): Promise<void> {
    const isProviderError = error instanceof ProviderError;
    log.warn({ err: error, error_group_id: id }, 'an explanation failed');
    const isOver = await store.commit((transaction) => {
      const known = pendingOf(transaction, id);
      if (!known) return true;
      const failed = known.failed + 1;
      if (failed < maxFailures && (!isProviderError || error.isTransient)) {
        transaction.put('summaries', { ...known, failed });
        return false;
      }
      storeFailure(
        transaction,
        { ...known, failed },
        isProviderError
          ? error.message
          : 'The explanation could not be generated. The log of the server has the reason.',
      );
      return true;
    });
    if (!isOver) await pause(explanationRetryMs, stop);
  }
}

function pendingOf(transaction: Transaction, id: number): SummaryRecord | null {
  const known = transaction.get('summaries', id);
  return known?.status === 'pending' && transaction.group(id) ? known : null;
}

function begin(transaction: Transaction, id: number): SummaryRecord | null {
  const known = pendingOf(transaction, id);
  if (!known) return null;
  if (known.begun >= maxStarts) {
    storeFailure(transaction, known, 'The explanation could not be completed.');
    return null;
  }
  const begun = { ...known, begun: known.begun + 1, begun_at: transaction.now, sent: null };
  transaction.put('summaries', begun);
  return begun;
}

/** Returns false if the request was deleted or replaced. */
function recordSent(transaction: Transaction, { id, requested_at }: SummaryRecord, sent: string): boolean {
  const known = pendingOf(transaction, id);
  if (known?.requested_at !== requested_at) return false;
  transaction.put('summaries', { ...known, sent });
  return true;
}

/** Stores the explanation, unless the request was deleted or replaced. */
function storeResult(
  transaction: Transaction,
  { id, requested_at }: SummaryRecord,
  { summary, model }: Generated,
): void {
  const known = pendingOf(transaction, id);
  if (known?.requested_at !== requested_at) return;
  const generated_at = new Date(transaction.now).toISOString();
  transaction.put('summaries', { ...known, status: 'ready', summary, model, generated_at, error: null });
}

/** Marks the explanation as failed, and gives the quota unit back to the month it was taken from. */
function storeFailure(transaction: Transaction, record: SummaryRecord, error: string): void {
  transaction.put('summaries', { ...record, status: 'failed', error });
  transaction.countAi(record.team_id, record.month, -1);
}
