import type { Draft, DraftGroup } from './draft.ts';

/** A report that source maps have told something of, as it would be without them. */
export interface LateMap {
  /** Id of the last group that was opened before the newest of these maps came. */
  groupsBefore: number;
  /** Asked for only if no group answers to what the maps have told. */
  unresolved: () => string;
}

interface AdoptedGroup {
  group: DraftGroup;
  /** The fingerprint that it was born with. */
  born: string;
}

/** The group that answers to a fingerprint which it was not born with. */
export function adoptedGroup(draft: Draft, projectId: number, fingerprint: string): AdoptedGroup | undefined {
  const adoption = draft.get('adoptions', adoptionId(projectId, fingerprint));
  const group = adoption && draft.group(adoption.group_id);
  return group && { group, born: adoption.born };
}

/**
 * A map that comes late gives the reports of a bug another fingerprint. The first report with it adopts the group that the
 * bug has already, so that it is not split in two; whatever else the map tells apart gets a group of its own.
 *
 * Groups that are younger than the map are not adopted: they are of reports that it could tell nothing of, and which
 * fingerprint a group has would depend on which report came first.
 */
export function adoptGroup(
  draft: Draft,
  projectId: number,
  fingerprint: string,
  late: LateMap,
): AdoptedGroup | undefined {
  if (late.groupsBefore === 0) return undefined;
  const born = late.unresolved();
  const group = draft.groupOf(projectId, born);
  if (!group || group.id > late.groupsBefore || draft.find('adoptions', String(group.id))) return undefined;
  draft.put('adoptions', {
    id: adoptionId(projectId, fingerprint),
    project_id: projectId,
    group_id: group.id,
    born,
  });
  return { group, born };
}

function adoptionId(projectId: number, fingerprint: string): string {
  return `${projectId} ${fingerprint}`;
}
