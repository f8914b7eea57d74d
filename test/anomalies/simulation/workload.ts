import { ReadChecker } from './check-reads.ts';
import { ofKind } from './client-operation.ts';
import type { Client } from './client.ts';
import { isRemembered, type Model, type ModelProject } from './model.ts';
import type { Call, Machine } from './machine.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import type { Scheduler } from './scheduler.ts';

const hourMs = 3_600_000;
const nouns = ['Apple', 'Bread', 'Cheese', 'Dumpling', 'Eggplant', 'Fennel', 'Grape', 'Honey', 'Icing', 'Jam'];
const releases = ['spring', 'summer', 'autumn'];
const shownProjects = 4;
/** No more than the server accepts and indexes concurrently. */
const uploadsAtOnce = 4;

/** Sends concurrent requests of all kinds. */
export class Workload {
  /** The latest time that the server's clock has shown. */
  latest = 0;
  readonly #scheduler: Scheduler;
  readonly #machine: Machine;
  readonly #model: Model;
  readonly #client: Client;
  readonly #random: SeededRandom;
  readonly #readChecker: ReadChecker;
  readonly #messages = new Map<string, string>();
  #eventIds = 0;
  #reads: Call[] = [];

  constructor(scheduler: Scheduler, machine: Machine, model: Model, client: Client, random: SeededRandom) {
    this.#scheduler = scheduler;
    this.#machine = machine;
    this.#model = model;
    this.#client = client;
    this.#random = random;
    this.#readChecker = new ReadChecker(scheduler, model, client);
  }

  /** Sends requests. Resolves when all have a response or the server has died. */
  async run(count: number, withinMs: number): Promise<void> {
    if (!this.#machine.isRunning) return;
    let unsent = count;
    this.#reads = [];
    for (let index = 0; index < count; index++) {
      this.#scheduler.after(this.#random.next() * withinMs, () => {
        unsent--;
        this.#act();
      });
    }
    const hasResponse = ({ call }: { call: Call }): boolean => call.respondedAt !== null;
    await this.#scheduler.until(
      () =>
        this.#machine.hasDied ||
        (unsent === 0 &&
          this.#client.history.every(hasResponse) &&
          this.#reads.every(({ respondedAt }) => respondedAt !== null)),
      'the responses to the requests',
    );
  }

  async makeProject(): Promise<void> {
    const { call } = this.#client.createProject();
    await this.#scheduler.until(
      () => this.#machine.hasDied || call.respondedAt !== null,
      'the response to a new project',
    );
  }

  #act(): void {
    const projects = [...this.#model.projects.values()];
    const chance = this.#random.next();
    if (projects.length < 2 || (chance < 0.02 && projects.length < shownProjects))
      return void this.#client.createProject();
    const project = this.#random.pick(projects);
    if (chance < 0.5) return this.#report(project);
    if (chance < 0.64) return this.#repeat(project);
    if (chance < 0.68) return this.#reportByOldKey(project);
    if (chance < 0.71) return void this.#client.rotate(project.id);
    if (chance < 0.76) return this.#upload(project);
    if (chance < 0.78) return this.#deleteMap(project);
    if (chance < 0.79) return void (projects.indexOf(project) > 0 && this.#client.deleteProject(project.id));
    if (chance < 0.8) return this.#machine.beginStop();
    const group = this.#groupOf(project);
    if (group === null) return this.#report(project);
    if (chance < 0.83) return void this.#client.deleteGroup(project.id, group);
    if (chance < 0.9)
      return void this.#client.status(project.id, group, this.#random.chance(0.8) ? 'resolved' : 'active');
    if (chance < 0.92 && !this.#machine.isStopping) return this.#machine.compact();
    if (chance < 0.97) return this.#readGroup(project, group);
    return this.#readList(project);
  }

  #report(project: ModelProject): void {
    const eventId = this.#random.chance(0.5) ? this.#newEventId() : null;
    const message = `${this.#random.pick(nouns)} is missing`;
    const pad = this.#random.chance(0.05) ? 20_000 : 0;
    if (eventId) this.#messages.set(eventId, message);
    // Some are sent two or three times concurrently, as by a client that retries without waiting for a response.
    const times = eventId && this.#random.chance(0.2) ? this.#random.between(2, 3) : 1;
    for (let time = 0; time < times; time++)
      this.#client.report(project.id, this.#keyOf(project), message, { eventId, pad });
  }

  #repeat(project: ModelProject): void {
    const earlier = ofKind(this.#client.history, 'report').flatMap((operation) =>
      operation.project === project.id && operation.eventId ? [operation.eventId] : [],
    );
    const known = [...project.storedResponses].flatMap(([id, first]) => (this.#isClear(first) ? [id] : []));
    const usable = [...earlier.filter((id) => project.storedResponses.get(id)?.group !== -1), ...known];
    if (usable.length === 0) return this.#report(project);
    const eventId = this.#random.pick(usable);
    const message = this.#messages.get(eventId);
    if (message) this.#client.report(project.id, this.#keyOf(project), message, { eventId });
  }

  /** Returns false if it depends on the clock whether the server still remembers the first response. */
  #isClear({ group, at }: { group: number; at: number }): boolean {
    if (group === -1) return false;
    const now = this.#machine.isRunning ? this.#machine.services.store.now() : this.#scheduler.now();
    return this.latest - at < 23 * hourMs || !isRemembered({ at: at + hourMs }, now);
  }

  #reportByOldKey(project: ModelProject): void {
    const keys = [...this.#model.deadKeys];
    if (keys.length === 0) return this.#report(project);
    this.#client.report(project.id, this.#random.pick(keys), `${this.#random.pick(nouns)} is late`);
  }

  /**
   * Does not exceed `uploadsAtOnce`. The simulation stops while a map is parsed, so an upload that waits for another
   * one would never start.
   */
  #upload(project: ModelProject): void {
    const underWay = ofKind(this.#client.history, 'upload').filter(({ call }) => call.respondedAt === null);
    if (underWay.length >= uploadsAtOnce) return this.#report(project);
    this.#client.upload(project.id, this.#random.pick(releases));
  }

  #deleteMap(project: ModelProject): void {
    const maps = [...project.maps.values()];
    if (maps.length > 0) this.#client.deleteMap(project.id, this.#random.pick(maps).id);
  }

  #groupOf(project: ModelProject): number | null {
    const acknowledged = ofKind(this.#client.history, 'report').flatMap(({ project: id, call }) =>
      id === project.id && call.status === 200 ? [call.body.error_group_id] : [],
    );
    const ids = [...Array.from(project.groups.values(), ({ id }) => id), ...acknowledged];
    return ids.length === 0 ? null : this.#random.pick(ids);
  }

  /** Returns the newest acknowledged key. */
  #keyOf(project: ModelProject): string {
    const rotations = ofKind(this.#client.history, 'rotate').filter(
      (operation) => operation.project === project.id && operation.call.status === 200,
    );
    const last = rotations.toSorted((a, b) => (a.call.respondedAt ?? 0) - (b.call.respondedAt ?? 0)).at(-1);
    return last?.call.body.api_key ?? project.key;
  }

  #readGroup(project: ModelProject, id: number): void {
    const check = this.#readChecker.ofGroup(project, id);
    this.#read(this.#random.pick([`errors/${id}`, `errors/${id}/reports`]), check);
  }

  #readList(project: ModelProject): void {
    this.#read(`errors?project_id=${project.id}&size=100`, this.#readChecker.ofList(project));
  }

  #read<Body>(path: string, check: (call: Call<Body>) => void): void {
    this.#reads.push(this.#machine.send({ method: 'GET', path: `api/v1/${path}` }, `GET ${path}`, check));
  }

  #newEventId(): string {
    return `00000000-0000-4000-8000-${String(++this.#eventIds).padStart(12, '0')}`;
  }
}
