import { fate, isAfter, mayHaveHappened, ofKind, type Deed, type ReportDeed } from './deed.ts';
import type { Ideal } from './ideal.ts';
import type { Round } from './check.ts';
import { Anomaly } from './world.ts';

const dayMs = 24 * 3_600_000;

/** One report, however often it was sent. */
export interface SentReport {
  project: number;
  message: string;
  eventId: string | null;
  /** One of them may be counted. */
  marks: string[];
  isCounted: 'yes' | 'maybe' | 'no';
  /** As answered. */
  group: number | null;
  isNew: boolean | null;
}

/** Whether this is a repeat of a report that was counted before: the memory of the server for them lasts a day. */
export function isRemembered(first: { at: number } | undefined, now: number): boolean {
  return first !== undefined && now - first.at < dayMs;
}

/**
 * Sends of one `event_id` are one report. Checks each answer for itself, and those of repeats against each other;
 * answers with what is to be looked for in the groups.
 */
export function sortReports(ideal: Ideal, round: Round): SentReport[] {
  const deeds = ofKind(round.deeds, 'report');
  const used = ideal.usedIn(monthOf(round.now));
  const sent = new Map<string, ReportDeed[]>();
  for (const [index, deed] of deeds.entries()) {
    const name = deed.eventId === null ? `alone ${index}` : `${deed.project} ${deed.eventId}`;
    sent.set(name, [...(sent.get(name) ?? []), deed]);
  }
  const reports: SentReport[] = [];
  const refused: ReportDeed[] = [];
  for (const sends of sent.values()) {
    const [{ project, message, eventId }] = sends as [ReportDeed];
    const first = eventId === null ? undefined : ideal.projects.get(project)?.firstAnswers.get(eventId);
    const isRepeat = isRemembered(first, round.now);
    for (const deed of sends) {
      checkAnswer(ideal, deed, round, isRepeat);
      if (deed.call.status === 429) refused.push(deed);
    }
    const told = sends.filter(({ call }) => call.status === 200).map(({ call }) => call.body);
    const [answer] = told;
    if (
      told.some((body) => body.error_group_id !== answer?.error_group_id || body.is_new_group !== answer.is_new_group)
    )
      throw new Anomaly(`Repeats of ${eventId} got different answers`);
    if (isRepeat && first) {
      if (
        answer &&
        (answer.error_group_id !== first.group || answer.is_new_group !== (first.isNew ?? answer.is_new_group))
      )
        throw new Anomaly(`A repeat of ${eventId} did not get the first answer`);
      if (answer) first.isNew = answer.is_new_group;
      continue;
    }
    const isCounted = answer ? 'yes' : sends.some((deed) => fate(deed) === 'maybe') ? 'maybe' : 'no';
    if (isCounted === 'no') continue;
    reports.push({
      project,
      message,
      eventId,
      marks: sends.map(({ mark }) => mark),
      isCounted,
      group: answer?.error_group_id ?? null,
      isNew: answer?.is_new_group ?? null,
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
      if (refused.length > 0) throw new Anomaly('There is no quota, and a report was refused for it');
      return;
    }
    if (used.low > errorQuota) throw new Anomaly(`${used.low} reports were taken, of a quota of ${errorQuota}`);
    if (refused.length > 0 && used.high < errorQuota)
      throw new Anomaly(`A report was refused when at most ${used.high} of the quota of ${errorQuota} were used`);
  }
}

function checkAnswer(ideal: Ideal, deed: ReportDeed, { deeds }: Round, isRepeat: boolean): void {
  const { call } = deed;
  const life = lifeOfKey(ideal, deed, deeds);
  if (call.status === 200 && life === 'dead') throw new Anomaly(`${call.name}: a key that was rotated still works`);
  if (call.status === 401 && life === 'alive') throw new Anomaly(`${call.name}: a good key was refused`);
  if (call.status === 429 && isRepeat) throw new Anomaly(`${call.name}: a repeat was refused for the quota`);
  if (call.answered !== null && ![200, 401, 429, 503].includes(call.status))
    throw new Anomaly(`${call.name} was answered ${call.status}`);
}

/** Whether the key was good for the whole time that the report took, or never. */
function lifeOfKey(
  ideal: Ideal,
  { key, project, call }: ReportDeed,
  deeds: readonly Deed[],
): 'alive' | 'dead' | 'either' {
  if (ideal.deadKeys.has(key)) return 'dead';
  const ends = deeds.filter(
    (deed) =>
      (deed.kind === 'rotate' || deed.kind === 'delete project') && deed.project === project && mayHaveHappened(deed),
  );
  const made = ofKind(deeds, 'rotate').find((deed) => deed.call.status === 200 && deed.call.body.api_key === key);
  const others = ends.filter((deed) => deed !== made);
  const isOver = others.some(
    (deed) => fate(deed) === 'yes' && isAfter(call, deed.call) && (!made || isAfter(deed.call, made.call)),
  );
  if (isOver) return 'dead';
  return others.some((deed) => call.answered === null || deed.call.asked < call.answered) ? 'either' : 'alive';
}

export function monthOf(at: number): number {
  const date = new Date(at);
  return date.getUTCFullYear() * 12 + date.getUTCMonth();
}
