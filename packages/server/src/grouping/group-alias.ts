import { adoptionId } from '../store/records/alias-id.ts';
import type { Draft, DraftGroup } from '../store/log/transaction.ts';

/** A report as it would have been before one of the maps came that have told something of it. */
export interface EarlierPrint {
  /** Id of the last group that was opened before that map came. */
  groupsBefore: number;
  /** Worked out only if it is asked for. */
  fingerprint: () => string;
}

interface AnsweringGroup {
  group: DraftGroup;
  /** The fingerprint that it was born with. */
  born: string;
}

/** The group that answers to a fingerprint which it was not born with. */
export function adoptedGroup(draft: Draft, projectId: number, fingerprint: string): AnsweringGroup | undefined {
  const adoption = draft.get('adoptions', adoptionId(projectId, fingerprint));
  const group = adoption && draft.group(adoption.group_id);
  return group && { group, born: adoption.born };
}

/**
 * A map that comes late gives the reports of a bug another fingerprint. The first report with it adopts the group that the
 * bug has already, so that it is not split in two; whatever else the map tells apart gets a group of its own. Where several
 * maps came one after the other, each may do so: it takes on from what the ones before it had made of the report.
 *
 * Groups that are younger than the map are not adopted: they are of reports that it could tell nothing of, and which
 * fingerprint a group has would depend on which report came first.
 *
 * `earlier`: before the newest map came, before the one before that, and so on until there were none.
 */
export function adoptGroup(
  draft: Draft,
  projectId: number,
  fingerprint: string,
  earlier: readonly EarlierPrint[],
): AnsweringGroup | undefined {
  for (const { groupsBefore, fingerprint: ask } of earlier) {
    if (groupsBefore === 0) return undefined;
    const from = ask();
    const known = answeringGroup(draft, projectId, from);
    if (!known || known.group.id > groupsBefore) continue;
    if (draft.find('adoptions', adoptionId(projectId, from))) return undefined;
    draft.put('adoptions', {
      id: adoptionId(projectId, fingerprint),
      project_id: projectId,
      group_id: known.group.id,
      born: known.born,
      from,
    });
    return known;
  }
  return undefined;
}

function answeringGroup(draft: Draft, projectId: number, fingerprint: string): AnsweringGroup | undefined {
  const group = draft.groupOf(projectId, fingerprint);
  return group ? { group, born: fingerprint } : adoptedGroup(draft, projectId, fingerprint);
}
