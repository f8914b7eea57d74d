import type { ErrorGroup, Page } from '../../../packages/protocol/src/index.ts';
import { mayHaveTakenEffect, ofKind } from './client-operation.ts';
import type { Client } from './client.ts';
import type { Call } from './machine.ts';
import type { Model, ModelProject } from './model.ts';
import type { Scheduler } from './scheduler.ts';

/**
 * Checks reads among other requests: every report that was acknowledged before a read was sent must be counted in its
 * response. The methods are called before the read is sent, and return a function that checks its response.
 */
export class ReadChecker {
  readonly #scheduler: Scheduler;
  readonly #model: Model;
  readonly #client: Client;

  constructor(scheduler: Scheduler, model: Model, client: Client) {
    this.#scheduler = scheduler;
    this.#model = model;
    this.#client = client;
  }

  ofGroup(project: ModelProject, id: number): (call: Call<Partial<ErrorGroup>>) => void {
    const least = this.#leastCount(project, id);
    return ({ status, body, name }) => {
      if (status === 404 && !this.#mayBeGone(project, id)) this.#scheduler.fail(`${name} got status 404`);
      else if (![200, 404, 503].includes(status)) this.#scheduler.fail(`${name} got status ${status}`);
      else if (status === 200 && body.count !== undefined && body.count < least)
        this.#scheduler.fail(`${name} shows ${body.count} reports although ${least} were acknowledged before`);
    };
  }

  ofList(project: ModelProject): (call: Call<Page<ErrorGroup>>) => void {
    const least = new Map(
      Array.from(project.groups.values(), ({ id }): [number, number] => [id, this.#leastCount(project, id)]),
    );
    return ({ status, body, name }) => {
      if (status === 404 && this.#mayBeGone(project, 0)) return;
      if (status !== 200) return this.#scheduler.fail(`${name} got status ${status}`);
      for (const [id, count] of least) {
        const shown = body.items.find((group) => group.error_group_id === id);
        if ((shown && shown.count < count) || (!shown && !this.#mayBeGone(project, id)))
          this.#scheduler.fail(
            `${name} shows ${shown?.count ?? 'no'} reports of group ${id}, and ${count} were acknowledged`,
          );
      }
    };
  }

  /** Returns the number of reports of a group that have been acknowledged. */
  #leastCount(project: ModelProject, id: number): number {
    const before = [...project.groups.values()].find((group) => group.id === id)?.count ?? 0;
    const repeats = new Set<string>(project.storedResponses.keys());
    let acknowledged = 0;
    for (const { eventId, call } of ofKind(this.#client.history, 'report')) {
      if (call.status !== 200 || call.body.error_group_id !== id || (eventId && repeats.has(eventId))) continue;
      if (eventId) repeats.add(eventId);
      acknowledged++;
    }
    return before + acknowledged;
  }

  #mayBeGone(project: ModelProject, id: number): boolean {
    if (this.#model.deletedGroups.has(id)) return true;
    return this.#client.history.some(
      (operation) =>
        mayHaveTakenEffect(operation) &&
        ((operation.kind === 'delete group' && operation.group === id) ||
          (operation.kind === 'delete project' && operation.project === project.id)),
    );
  }
}
