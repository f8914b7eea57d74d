import type { CheckedRound } from './checked-round.ts';
import { tookEffect, isAfter, mayHaveTakenEffect, ofKind } from './client-operation.ts';
import type { Model, ModelProject } from './model.ts';
import type { ObservedProject } from './observed-state.ts';
import { Anomaly } from './anomaly.ts';

/**
 * Checks that each release has at most one map, which keeps its id until it may have been deleted. Records which
 * uploads it may contain. Throws an Anomaly if something is wrong.
 */
export function checkMaps(
  model: Model,
  project: ModelProject,
  { maps }: ObservedProject,
  { operations, previousIds }: CheckedRound,
): void {
  const uploads = ofKind(operations, 'upload').filter(
    (operation) => operation.project === project.id && mayHaveTakenEffect(operation),
  );
  const deletions = ofKind(operations, 'delete map').filter(
    (operation) => operation.project === project.id && mayHaveTakenEffect(operation),
  );
  const releases = [
    ...project.maps.keys(),
    ...uploads.map(({ release }) => release),
    ...maps.map((map) => map.release ?? ''),
  ];
  for (const release of new Set(releases)) checkRelease(release);

  function checkRelease(release: string): void {
    const before = project.maps.get(release);
    const shown = maps.filter((map) => map.release === release);
    const [now] = shown;
    if (shown.length > 1) throw new Anomaly(`${release} has ${shown.length} maps`);
    const sent = uploads.filter((upload) => upload.release === release);
    const acknowledged = sent.filter((upload) => tookEffect(upload) === 'yes');
    const ids = new Set([before?.id, ...acknowledged.map(({ call }) => call.body.id), now?.id]);
    const isOpen = deletions.some(({ map }) => ids.has(map));
    if (!now) {
      if ((before || acknowledged.length > 0) && !isOpen) throw new Anomaly(`The map of ${release} has disappeared`);
      project.maps.delete(release);
      return;
    }
    if (!before && sent.length === 0) throw new Anomaly(`${release} has a map that was never uploaded`);
    if (deletions.some((operation) => operation.map === now.id && tookEffect(operation) === 'yes'))
      throw new Anomaly(`Map ${now.id} was deleted and still exists`);
    if (now.id !== before?.id && now.id <= previousIds.map)
      throw new Anomaly(`The id of map ${now.id} was used before`);
    if (!isOpen && acknowledged.some(({ call }) => call.body.id !== now.id))
      throw new Anomaly(`The map of ${release} has an id other than the one in the response`);
    if (!isOpen && before && before.id !== now.id) throw new Anomaly(`The id of the map of ${release} has changed`);
    const last = sent.filter(({ call }) => !acknowledged.some((other) => isAfter(other.call, call)));
    const isOld = acknowledged.length === 0 && before?.id === now.id;
    project.maps.set(release, {
      id: now.id,
      markers: [...last.map(({ marker }) => marker), ...(isOld ? before.markers : [])],
    });
    model.lastIds.map = Math.max(model.lastIds.map, now.id);
  }
}
