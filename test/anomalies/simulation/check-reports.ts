import {
  tookEffect,
  isAfter,
  mayHaveTakenEffect,
  ofKind,
  type ClientOperation,
  type ReportOperation,
} from './client-operation.ts';
import { isRemembered, monthOf, type Model } from './model.ts';
import type { Round } from './checked-round.ts';
import { Anomaly } from './anomaly.ts';

/** One report and all its repeats. */
export interface SentReport {
  project: number;
  message: string;
  eventId: string | null;
  /** Of all sends. At most one of them may be counted. */
  markers: string[];
  isCounted: 'yes' | 'maybe' | 'no';
  /** From the response. */
  group: number | null;
  isNew: boolean | null;
}

/**
 * Joins the sends of one `event_id` into one report. Checks each response, and the responses to repeats against each
 * other. Returns the reports that the groups must hold. Throws an Anomaly.
 */
export function joinReports(model: Model, round: Round): SentReport[] {
  const operations = ofKind(round.operations, 'report');
  const used = model.usedIn(monthOf(round.now));
  const sent = new Map<string, ReportOperation[]>();
  for (const [index, operation] of operations.entries()) {
    const name = operation.eventId === null ? `alone ${index}` : `${operation.project} ${operation.eventId}`;
    sent.set(name, [...(sent.get(name) ?? []), operation]);
  }
  const reports: SentReport[] = [];
  const rejected: ReportOperation[] = [];
  for (const sends of sent.values()) {
    const [{ project, message, eventId }] = sends as [ReportOperation];
    const first = eventId === null ? undefined : model.projects.get(project)?.storedResponses.get(eventId);
    const isRepeat = isRemembered(first, round.now);
    for (const operation of sends) {
      checkResponse(model, operation, round, isRepeat);
      if (operation.call.status === 429) rejected.push(operation);
    }
    const responses = sends.filter(({ call }) => call.status === 200).map(({ call }) => call.body);
    const [firstResponse] = responses;
    if (
      responses.some(
        (body) =>
          body.error_group_id !== firstResponse?.error_group_id || body.is_new_group !== firstResponse.is_new_group,
      )
    )
      throw new Anomaly(`Repeats of ${eventId} got different responses`);
    if (isRepeat && first) {
      if (
        firstResponse &&
        (firstResponse.error_group_id !== first.group ||
          firstResponse.is_new_group !== (first.isNew ?? firstResponse.is_new_group))
      )
        throw new Anomaly(`A repeat of ${eventId} did not get the first response`);
      if (firstResponse) first.isNew = firstResponse.is_new_group;
      continue;
    }
    const isCounted = firstResponse
      ? 'yes'
      : sends.some((operation) => tookEffect(operation) === 'maybe')
        ? 'maybe'
        : 'no';
    if (isCounted === 'no') continue;
    reports.push({
      project,
      message,
      eventId,
      markers: sends.map(({ marker }) => marker),
      isCounted,
      group: firstResponse?.error_group_id ?? null,
      isNew: firstResponse?.is_new_group ?? null,
    });
  }
  checkQuota();
  return reports;

  function checkQuota(): void {
    const { errorQuota } = round.rules;
    const sure = reports.filter(({ isCounted }) => isCounted === 'yes').length;
    used.low += sure;
    used.high += reports.length;
    if (errorQuota === null) {
      if (rejected.length > 0) throw new Anomaly('A report was rejected with 429 although no quota is set');
      return;
    }
    if (used.low - used.merged > errorQuota)
      throw new Anomaly(`${used.low} reports were accepted with a quota of ${errorQuota}`);
    if (rejected.length > 0 && used.high < errorQuota)
      throw new Anomaly(`A report was rejected when at most ${used.high} of the quota of ${errorQuota} were used`);
  }
}

function checkResponse(model: Model, operation: ReportOperation, { operations }: Round, isRepeat: boolean): void {
  const { call } = operation;
  const validity = validityOfKey(model, operation, operations);
  if (call.status === 200 && validity === 'dead') throw new Anomaly(`${call.name}: a rotated key still works`);
  if (call.status === 401 && validity === 'alive') throw new Anomaly(`${call.name}: a valid key was rejected`);
  if (call.status === 429 && isRepeat) throw new Anomaly(`${call.name}: a repeat was rejected by the quota`);
  if (call.respondedAt !== null && ![200, 401, 429, 503].includes(call.status))
    throw new Anomaly(`${call.name} got status ${call.status}`);
}

/** Returns whether the key was valid for the whole call, never, or for an unknown part of it. */
function validityOfKey(
  model: Model,
  { key, project, call }: ReportOperation,
  operations: readonly ClientOperation[],
): 'alive' | 'dead' | 'either' {
  if (model.deadKeys.has(key)) return 'dead';
  const ends = operations.filter(
    (operation) =>
      (operation.kind === 'rotate' || operation.kind === 'delete project') &&
      operation.project === project &&
      mayHaveTakenEffect(operation),
  );
  const made = ofKind(operations, 'rotate').find(
    (operation) => operation.call.status === 200 && operation.call.body.api_key === key,
  );
  const others = ends.filter((operation) => operation !== made);
  const isOver = others.some(
    (operation) =>
      tookEffect(operation) === 'yes' && isAfter(call, operation.call) && (!made || isAfter(operation.call, made.call)),
  );
  if (isOver) return 'dead';
  return others.some((operation) => call.respondedAt === null || operation.call.sentAt < call.respondedAt)
    ? 'either'
    : 'alive';
}
