import { Anomaly } from './anomaly.ts';
import type { Round } from './checked-round.ts';
import { isAfter, mayHaveTakenEffect, tookEffect, ofKind, type ClientOperation } from './client-operation.ts';
import type { Model, ModelProject } from './model.ts';
import type { ObservedProject } from './observed-state.ts';

/** Checks which projects exist, their names and their keys. Adds and removes them in the model. Throws an Anomaly. */
export function checkProjects(model: Model, { operations, seen }: Round): void {
  for (const project of model.projects.values()) {
    const shown = seen.find(({ id }) => id === project.id);
    const deletions = ofKind(operations, 'delete project').filter((operation) => operation.project === project.id);
    const rotations = ofKind(operations, 'rotate').filter((operation) => operation.project === project.id);
    if (!shown) {
      if (!deletions.some(mayHaveTakenEffect))
        throw new Anomaly(`Project ${project.id} has disappeared without a deletion`);
      removeProject(model, project);
      for (const { call } of rotations) if (call.status === 200) model.deadKeys.add(call.body.api_key);
      continue;
    }
    if (deletions.some((operation) => tookEffect(operation) === 'yes'))
      throw new Anomaly(`Project ${project.id} was deleted and still exists`);
    if (shown.name !== project.name) throw new Anomaly(`The name of project ${project.id} has changed`);
    checkKey(model, project, shown.api_key, operations);
  }
  for (const shown of seen) if (!model.projects.has(shown.id)) addProject(model, shown, operations);
  for (const { name, call } of ofKind(operations, 'create project')) {
    if (call.status === 201 && model.projects.get(call.body.id)?.name !== name)
      throw new Anomaly(`Project ${call.body.id} was created and does not exist`);
  }
}

/** Adds a project that did not exist at the last check. */
function addProject(model: Model, shown: ObservedProject, operations: readonly ClientOperation[]): void {
  if (shown.id <= model.lastIds.project) throw new Anomaly(`The id of project ${shown.id} was used before`);
  const made = ofKind(operations, 'create project').find(({ name }) => name === shown.name);
  if (!made || !mayHaveTakenEffect(made)) throw new Anomaly(`Project ${shown.id} exists and was never created`);
  if (made.call.status === 201 && (made.call.body.id !== shown.id || made.call.body.api_key !== shown.api_key))
    throw new Anomaly(`Project ${shown.id} differs from the one in the response`);
  if ([...model.projects.values()].some(({ name }) => name === shown.name))
    throw new Anomaly(`Project ${shown.name} exists twice`);
  model.lastIds.project = Math.max(model.lastIds.project, shown.id);
  model.projects.set(shown.id, {
    id: shown.id,
    name: shown.name,
    key: shown.api_key,
    groups: new Map(),
    storedResponses: new Map(),
    maps: new Map(),
  });
}

function removeProject(model: Model, project: ModelProject): void {
  model.projects.delete(project.id);
  model.deletedProjects.add(project.id);
  model.deadKeys.add(project.key);
  for (const { id } of project.groups.values()) model.deletedGroups.add(id);
}

/** Checks the key. Of concurrent rotations one wins; each replaced key stays invalid. */
function checkKey(model: Model, project: ModelProject, key: string, operations: readonly ClientOperation[]): void {
  const rotations = ofKind(operations, 'rotate').filter(
    (operation) => operation.project === project.id && mayHaveTakenEffect(operation),
  );
  const acknowledged = rotations.filter((operation) => tookEffect(operation) === 'yes');
  const candidates = acknowledged
    .filter(({ call }) => !acknowledged.some((other) => isAfter(other.call, call)))
    .map(({ call }) => call.body.api_key);
  if (acknowledged.length === 0) candidates.push(project.key);
  const known = [project.key, ...acknowledged.map(({ call }) => call.body.api_key)];
  const isFresh = !known.includes(key) && !model.deadKeys.has(key);
  if (!candidates.includes(key) && !(isFresh && rotations.length > acknowledged.length))
    throw new Anomaly(`Project ${project.id} has an unexpected key`);
  for (const old of known) if (old !== key) model.deadKeys.add(old);
  project.key = key;
}
