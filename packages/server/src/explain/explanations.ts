import type { Explanation, ExplanationRequested } from '@service/protocol';
import type { Caller } from '../accounts/caller.ts';
import { commitAsCaller } from '../accounts/commit-as-caller.ts';
import { groupNotFound } from '../groups/groups.ts';
import { assertAiQuota } from '../plans/quota.ts';
import { ProblemError } from '../problem.ts';
import type { Services } from '../services.ts';
import type { GroupState } from '../store/model/group-state.ts';
import { monthOf } from '../store/records/month.ts';
import { unpackText } from './packed-text.ts';

/**
 * Requests an explanation and takes one unit of the team's quota, in one transaction. `startExplainer` follows the log
 * and finds the request. Rejects with `group_not_found`, with `generation_in_progress` if a request is pending, or with
 * `ai_quota_exhausted`. A rejected request takes no unit.
 */
export async function requestExplanation(
  services: Services,
  caller: Caller,
  { id }: GroupState,
): Promise<ExplanationRequested> {
  const requested_at = await commitAsCaller(services, caller, (transaction) => {
    const group = transaction.group(id);
    if (!group) throw groupNotFound();
    const known = transaction.get('summaries', id);
    if (known?.status === 'pending') throw inProgress();
    const { ai_quota } = services.plans.of(transaction.get('teams', caller.teamId));
    assertAiQuota(transaction, caller.teamId, ai_quota);
    const month = monthOf(transaction.now);
    transaction.countAi(caller.teamId, month, 1);
    const requestedAt = new Date(transaction.now).toISOString();
    transaction.put('summaries', {
      id,
      project_id: group.projectId,
      status: 'pending',
      requested_at: requestedAt,
      team_id: caller.teamId,
      month,
      begun: 0,
      failed: 0,
      summary: known?.summary ?? null,
      model: known?.model ?? null,
      generated_at: known?.generated_at ?? null,
      sent: null,
      error: null,
    });
    return requestedAt;
  });
  return { status: 'pending', error_group_id: id, requested_at };
}

/** Returns the stored explanation. Rejects with `summary_not_found` if none was ever requested. */
export async function readExplanation(
  { store }: Services,
  { id }: GroupState,
  hasReceipt: boolean,
): Promise<Explanation> {
  const known = store.model.tables.summaries.get(id);
  if (!known) throw new ProblemError('summary_not_found', 'No explanation of this group has been requested yet.');
  const { status, summary, model, requested_at, generated_at, error, sent } = known;
  return {
    status,
    error_group_id: id,
    summary,
    model,
    requested_at,
    generated_at,
    error,
    ...(hasReceipt && { sent: sent === null ? null : await unpackText(sent) }),
  };
}

function inProgress(): ProblemError {
  return new ProblemError(
    'generation_in_progress',
    'An explanation of this group is already being generated. Read it in a moment.',
  );
}
