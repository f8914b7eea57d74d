import { checkGroup } from './check-group.ts';
import { checkMaps } from './check-maps.ts';
import { sortReports } from './check-reports.ts';
import { isAfter, mayHaveHappened, fate, ofKind, type Deed } from './deed.ts';
import type { Ideal, IdealProject } from './ideal.ts';
import type { Rules } from './machine.ts';
import type { SeenProject } from './seen.ts';
import { Anomaly } from './world.ts';

/** How a server is held to its promises: what was asked, what it shows now, and the time. */
export interface Round {
  deeds: readonly Deed[];
  seen: readonly SeenProject[];
  rules: Rules;
  /** Milliseconds: by the clock of the server. */
  now: number;
  /** The latest that clock has ever shown. */
  latest: number;
}

export interface CheckedRound extends Round {
  /** The last ids that anybody was told before. */
  told: Ideal['lastIds'];
}

/**
 * Holds what the server shows against what it has answered. What was open until then is taken for settled:
 * from here on it has to stay as it is. Throws an Anomaly.
 */
export function check(ideal: Ideal, asked: Round): void {
  const round: CheckedRound = { ...asked, told: { ...ideal.lastIds } };
  checkAnswers(ideal, round);
  const reports = sortReports(ideal, round);
  checkProjects(ideal, round);
  for (const project of ideal.projects.values()) {
    const seen = round.seen.find(({ id }) => id === project.id);
    if (!seen) continue;
    checkMaps(ideal, project, seen, round);
    const messages = new Set([
      ...project.groups.keys(),
      ...seen.groups.map(({ record }) => record.message),
      ...reports.filter((report) => report.project === project.id).map(({ message }) => message),
    ]);
    for (const message of messages) checkGroup(ideal, project, seen, message, reports, round);
  }
}

/** Whatever was to be changed was changed, or had gone away, or the storage failed. */
function checkAnswers(ideal: Ideal, { deeds }: Round): void {
  for (const deed of deeds) {
    const { call } = deed;
    if (deed.kind === 'report' || call.answered === null || call.status < 300 || call.status === 503) continue;
    const hasGone =
      ('project' in deed && ideal.deletedProjects.has(deed.project)) ||
      ('group' in deed && ideal.deletedGroups.has(deed.group)) ||
      deeds.some((other) => other !== deed && isEndOf(deed, other) && !isAfter(other.call, call));
    if (call.status !== 404 || !hasGone) throw new Anomaly(`${call.name} was answered ${call.status}`);
  }
}

/** Whether what the one is about may have been deleted by the other. */
function isEndOf(deed: Deed, other: Deed): boolean {
  if (!mayHaveHappened(other) || !('project' in deed)) return false;
  if (other.kind === 'delete project') return other.project === deed.project;
  if (other.kind === 'delete group') return 'group' in deed && deed.group === other.group;
  return other.kind === 'delete map' && 'map' in deed && deed.map === other.map;
}

function checkProjects(ideal: Ideal, { deeds, seen }: Round): void {
  for (const project of ideal.projects.values()) {
    const shown = seen.find(({ id }) => id === project.id);
    const deletions = ofKind(deeds, 'delete project').filter((deed) => deed.project === project.id);
    const rotations = ofKind(deeds, 'rotate').filter((deed) => deed.project === project.id);
    if (!shown) {
      if (!deletions.some(mayHaveHappened)) throw new Anomaly(`Project ${project.id} is gone, and nobody deleted it`);
      forget(ideal, project);
      for (const { call } of rotations) if (call.status === 200) ideal.deadKeys.add(call.body.api_key);
      continue;
    }
    if (deletions.some((deed) => fate(deed) === 'yes'))
      throw new Anomaly(`Project ${project.id} was deleted and is there`);
    if (shown.name !== project.name) throw new Anomaly(`Project ${project.id} has another name`);
    checkKey(ideal, project, shown.api_key, deeds);
  }
  for (const shown of seen) if (!ideal.projects.has(shown.id)) meet(ideal, shown, deeds);
  for (const { name, call } of ofKind(deeds, 'create project')) {
    if (call.status === 201 && ideal.projects.get(call.body.id)?.name !== name)
      throw new Anomaly(`Project ${call.body.id} was made and is not there`);
  }
}

/** A project that was not there the last time. */
function meet(ideal: Ideal, shown: SeenProject, deeds: readonly Deed[]): void {
  if (shown.id <= ideal.lastIds.project) throw new Anomaly(`The id of project ${shown.id} was used before`);
  const made = ofKind(deeds, 'create project').find(({ name }) => name === shown.name);
  if (!made || !mayHaveHappened(made)) throw new Anomaly(`Project ${shown.id} is there, and nobody made it`);
  if (made.call.status === 201 && (made.call.body.id !== shown.id || made.call.body.api_key !== shown.api_key))
    throw new Anomaly(`Project ${shown.id} is not the one that was answered`);
  if ([...ideal.projects.values()].some(({ name }) => name === shown.name))
    throw new Anomaly(`Project ${shown.name} is there twice`);
  ideal.lastIds.project = Math.max(ideal.lastIds.project, shown.id);
  ideal.projects.set(shown.id, {
    id: shown.id,
    name: shown.name,
    key: shown.api_key,
    groups: new Map(),
    firstAnswers: new Map(),
    maps: new Map(),
  });
}

function forget(ideal: Ideal, project: IdealProject): void {
  ideal.projects.delete(project.id);
  ideal.deletedProjects.add(project.id);
  ideal.deadKeys.add(project.key);
  for (const { id } of project.groups.values()) ideal.deletedGroups.add(id);
}

/** Of rotations that were asked together one wins; a key that another one has followed is dead. */
function checkKey(ideal: Ideal, project: IdealProject, key: string, deeds: readonly Deed[]): void {
  const rotations = ofKind(deeds, 'rotate').filter((deed) => deed.project === project.id && mayHaveHappened(deed));
  const answered = rotations.filter((deed) => fate(deed) === 'yes');
  const candidates = answered
    .filter(({ call }) => !answered.some((other) => isAfter(other.call, call)))
    .map(({ call }) => call.body.api_key);
  if (answered.length === 0) candidates.push(project.key);
  const known = [project.key, ...answered.map(({ call }) => call.body.api_key)];
  const isFresh = !known.includes(key) && !ideal.deadKeys.has(key);
  if (!candidates.includes(key) && !(isFresh && rotations.length > answered.length))
    throw new Anomaly(`Project ${project.id} has a key that it should not have`);
  for (const old of known) if (old !== key) ideal.deadKeys.add(old);
  project.key = key;
}
