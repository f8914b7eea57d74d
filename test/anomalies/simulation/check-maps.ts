import type { CheckedRound } from './check.ts';
import { fate, isAfter, mayHaveHappened, ofKind } from './deed.ts';
import type { Ideal, IdealProject } from './ideal.ts';
import type { SeenProject } from './seen.ts';
import { Anomaly } from './world.ts';

/** Of each release there is one map: the last one that was uploaded, under the id of the first. */
export function checkMaps(
  ideal: Ideal,
  project: IdealProject,
  { maps }: SeenProject,
  { deeds, told }: CheckedRound,
): void {
  const uploads = ofKind(deeds, 'upload').filter((deed) => deed.project === project.id && mayHaveHappened(deed));
  const deletions = ofKind(deeds, 'delete map').filter((deed) => deed.project === project.id && mayHaveHappened(deed));
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
    if (shown.length > 1) throw new Anomaly(`There are ${shown.length} maps of ${release}`);
    const sent = uploads.filter((upload) => upload.release === release);
    const answered = sent.filter((upload) => fate(upload) === 'yes');
    const ids = new Set([before?.id, ...answered.map(({ call }) => call.body.id), now?.id]);
    const isOpen = deletions.some(({ map }) => ids.has(map));
    if (!now) {
      if ((before || answered.length > 0) && !isOpen) throw new Anomaly(`The map of ${release} is gone`);
      project.maps.delete(release);
      return;
    }
    if (!before && sent.length === 0) throw new Anomaly(`There is a map of ${release} that nobody uploaded`);
    if (deletions.some((deed) => deed.map === now.id && fate(deed) === 'yes'))
      throw new Anomaly(`Map ${now.id} was deleted and is there`);
    if (now.id !== before?.id && now.id <= told.map) throw new Anomaly(`The id of map ${now.id} was used before`);
    if (!isOpen && answered.some(({ call }) => call.body.id !== now.id))
      throw new Anomaly(`The map of ${release} has another id than was answered`);
    if (!isOpen && before && before.id !== now.id) throw new Anomaly(`The map of ${release} has got another id`);
    const last = sent.filter(({ call }) => !answered.some((other) => isAfter(other.call, call)));
    const isOld = answered.length === 0 && before?.id === now.id;
    project.maps.set(release, { id: now.id, marks: [...last.map(({ mark }) => mark), ...(isOld ? before.marks : [])] });
    ideal.lastIds.map = Math.max(ideal.lastIds.map, now.id);
  }
}
