import { ProblemError } from '../problem.ts';
import { readGroup } from '../groups/groups.ts';
import type { Services } from '../services.ts';
import type { Transaction } from '../store/log/transaction.ts';
import type { SummaryRecord } from '../store/records/records.ts';
import { restartDelayMs, pause, startWorkers, type Workers } from '../jobs/workers.ts';
import { askProvider, ProviderError, providerOf, requestBody } from './ask-provider.ts';
import { builtInModel, explainByRules } from './built-in.ts';
import { packText } from './packed-text.ts';
import { promptFor } from './prompt.ts';

/** So many at a time: a provider that is slow holds up nobody but those who wait for it. */
const maxConcurrent = 4;
const mostFailures = 2;
/** One that ends the process each time it is begun is not begun for ever. */
const mostBegun = 6;
const retryMs = 1_000;

interface Made {
  summary: string;
  model: string;
}

/**
 * Makes every explanation that stands in the log as pending, also those that an earlier process was asked for: a request
 * and its unit are one entry, so that a kill in between ends in one summary and one unit.
 */
export function startExplainer(services: Services): Workers {
  const { store, log } = services;
  const provider = providerOf(services.config);
  /** What is made, but stands in no log yet. */
  const unstored = new Map<number, { record: SummaryRecord; made: Made }>();
  return startWorkers(services, {
    table: store.model.tables.summaries,
    maxConcurrent,
    dueAt,
    laneOf: ({ id }) => id,
    // A provider takes longer than anybody would wait for: another process asks it again.
    graceMs: 0,
    run: explain,
    onFailure({ id }, error) {
      log.warn({ err: error, error_group_id: id }, 'an explanation could not be made; it is tried again');
    },
  });

  function dueAt({ id, status, begun, failed, begun_at = 0 }: SummaryRecord): number {
    if (status !== 'pending') return Infinity;
    // What this process has made already only has to be stored.
    return unstored.has(id) ? 0 : begun_at + restartDelayMs(begun - failed);
  }

  /** Rejects if the storage fails: then it is still pending. */
  async function explain({ id }: SummaryRecord, stop: AbortSignal): Promise<void> {
    try {
      const record = unstored.get(id)?.record ?? (await store.commit((transaction) => begin(transaction, id)));
      if (!record) return;
      const made = unstored.get(id)?.made ?? (await make(record, stop));
      if (!made) return;
      // A storage that fails now is no reason to ask again: that costs, and may say something else.
      unstored.set(id, { record, made });
      await store.commit((transaction) => finish(transaction, record, made));
      unstored.delete(id);
    } catch (error) {
      if (stop.aborted) return unmark(id);
      if (error instanceof ProblemError) throw error;
      await noteFailure(id, error, stop);
    }
  }

  /** Work that a stop cuts off did not end the process. */
  async function unmark(id: number): Promise<void> {
    await store
      .commit((transaction) => {
        const known = pendingOf(transaction, id);
        if (known && known.begun > 0) transaction.put('summaries', { ...known, begun: known.begun - 1 });
      })
      .catch((error: unknown) =>
        log.warn({ err: error, error_group_id: id }, 'a stop in good order could not be noted'),
      );
  }

  /** Null: the group is gone. */
  async function make(record: SummaryRecord, stop: AbortSignal): Promise<Made | null> {
    const group = store.model.groups.get(record.id);
    if (!group) return null;
    const details = await readGroup(services, group);
    if (!provider) return { summary: explainByRules(details), model: builtInModel };
    const body = requestBody(provider, promptFor(details));
    const sent = await packText(body);
    // Before it goes out: whatever becomes of it, the receipt shows what left the server.
    const isPending = await store.commit((transaction) => noteSent(transaction, record, sent));
    return isPending ? { summary: await askProvider(provider, body, stop), model: provider.model } : null;
  }

  async function noteFailure(id: number, error: unknown, stop: AbortSignal): Promise<void> {
    const isTold = error instanceof ProviderError;
    log.warn({ err: error, error_group_id: id }, 'an explanation failed');
    const isOver = await store.commit((transaction) => {
      const known = pendingOf(transaction, id);
      if (!known) return true;
      const failed = known.failed + 1;
      if (failed < mostFailures && (!isTold || error.isPassing)) {
        transaction.put('summaries', { ...known, failed });
        return false;
      }
      fail(
        transaction,
        { ...known, failed },
        isTold ? error.message : 'It could not be made. The log of the server says why.',
      );
      return true;
    });
    if (!isOver) await pause(retryMs, stop);
  }
}

function pendingOf(transaction: Transaction, id: number): SummaryRecord | null {
  const known = transaction.get('summaries', id);
  return known?.status === 'pending' && transaction.group(id) ? known : null;
}

function begin(transaction: Transaction, id: number): SummaryRecord | null {
  const known = pendingOf(transaction, id);
  if (!known) return null;
  if (known.begun >= mostBegun) {
    fail(transaction, known, 'It could not be finished.');
    return null;
  }
  const begun = { ...known, begun: known.begun + 1, begun_at: transaction.now, sent: null };
  transaction.put('summaries', begun);
  return begun;
}

/** False: it was deleted meanwhile. */
function noteSent(transaction: Transaction, { id, requested_at }: SummaryRecord, sent: string): boolean {
  const known = pendingOf(transaction, id);
  if (known?.requested_at !== requested_at) return false;
  transaction.put('summaries', { ...known, sent });
  return true;
}

/** Unless it was deleted meanwhile. */
function finish(transaction: Transaction, { id, requested_at }: SummaryRecord, { summary, model }: Made): void {
  const known = pendingOf(transaction, id);
  if (known?.requested_at !== requested_at) return;
  const generated_at = new Date(transaction.now).toISOString();
  transaction.put('summaries', { ...known, status: 'ready', summary, model, generated_at, error: null });
}

/** The unit goes back to the month that it was taken from. */
function fail(transaction: Transaction, record: SummaryRecord, error: string): void {
  transaction.put('summaries', { ...record, status: 'failed', error });
  transaction.countAi(record.team_id, record.month, -1);
}
