import { checkGroup } from './check-group.ts';
import { checkMaps } from './check-maps.ts';
import { checkProjects } from './check-projects.ts';
import { joinReports } from './check-reports.ts';
import type { CheckedRound, Round } from './checked-round.ts';
import { isAfter, mayHaveTakenEffect, type ClientOperation } from './client-operation.ts';
import { monthOf, type Model } from './model.ts';
import { Anomaly } from './anomaly.ts';

/**
 * Checks the state of the server against its responses. The outcome of an operation without a response is settled by
 * this state and must not change later. Throws an Anomaly if something is wrong.
 */
export function check(model: Model, sent: Round): void {
  const round: CheckedRound = { ...sent, previousIds: { ...model.lastIds } };
  model.mergeAfter(monthOf(round.now));
  checkResponses(model, round);
  const reports = joinReports(model, round);
  checkProjects(model, round);
  for (const project of model.projects.values()) {
    const seen = round.seen.find(({ id }) => id === project.id);
    if (!seen) continue;
    checkMaps(model, project, seen, round);
    const messages = new Set([
      ...project.groups.keys(),
      ...seen.groups.map(({ record }) => record.message),
      ...reports.filter((report) => report.project === project.id).map(({ message }) => message),
    ]);
    for (const message of messages) checkGroup(model, project, seen, message, reports, round);
  }
}

/** Checks that each change with a response succeeded, was rejected with 503, or had a target that may be deleted. */
function checkResponses(model: Model, { operations }: Round): void {
  for (const operation of operations) {
    const { call } = operation;
    if (operation.kind === 'report' || call.respondedAt === null || call.status < 300 || call.status === 503) continue;
    const hasGone =
      ('project' in operation && model.deletedProjects.has(operation.project)) ||
      ('group' in operation && model.deletedGroups.has(operation.group)) ||
      operations.some((other) => other !== operation && isEndOf(operation, other) && !isAfter(other.call, call));
    if (call.status !== 404 || !hasGone) throw new Anomaly(`${call.name} got status ${call.status}`);
  }
}

/** Returns whether the other operation may have deleted the target of this one. */
function isEndOf(operation: ClientOperation, other: ClientOperation): boolean {
  if (!mayHaveTakenEffect(other) || !('project' in operation)) return false;
  if (other.kind === 'delete project') return other.project === operation.project;
  if (other.kind === 'delete group') return 'group' in operation && operation.group === other.group;
  return other.kind === 'delete map' && 'map' in operation && operation.map === other.map;
}
