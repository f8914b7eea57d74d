import { isRemembered } from './check-reports.ts';
import { mayHaveHappened, ofKind } from './deed.ts';
import type { Deeds } from './deeds.ts';
import type { Ideal, IdealProject } from './ideal.ts';
import type { Call, Machine } from './machine.ts';
import type { ErrorGroup, Page } from '../../../packages/protocol/src/index.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import type { World } from './world.ts';

const hourMs = 3_600_000;
const words = ['Apple', 'Bread', 'Cheese', 'Dumpling', 'Eggplant', 'Fennel', 'Grape', 'Honey', 'Icing', 'Jam'];
const releases = ['spring', 'summer', 'autumn'];
const shownProjects = 4;
/** As many as the server takes at once. */
const uploadsAtOnce = 4;

/** Requests of all kinds that come at nearly the same time. */
export class Rush {
  /** The latest that the server's clock has ever shown. */
  latest = 0;
  readonly #world: World;
  readonly #machine: Machine;
  readonly #ideal: Ideal;
  readonly #deeds: Deeds;
  readonly #random: SeededRandom;
  readonly #messages = new Map<string, string>();
  #eventIds = 0;
  #reads: Call[] = [];

  constructor(world: World, machine: Machine, ideal: Ideal, deeds: Deeds, random: SeededRandom) {
    this.#world = world;
    this.#machine = machine;
    this.#ideal = ideal;
    this.#deeds = deeds;
    this.#random = random;
  }

  /** Resolves once all of them are answered, or the server is dead. */
  async run(count: number, withinMs: number): Promise<void> {
    // Whoever died just before is not asked.
    if (!this.#machine.isRunning) return;
    let toCome = count;
    this.#reads = [];
    for (let index = 0; index < count; index++) {
      this.#world.after(this.#random.next() * withinMs, () => {
        toCome--;
        this.#act();
      });
    }
    const isAnswered = ({ call }: { call: Call }): boolean => call.answered !== null;
    await this.#world.until(
      () =>
        this.#machine.hasDied ||
        (toCome === 0 && this.#deeds.done.every(isAnswered) && this.#reads.every(({ answered }) => answered !== null)),
      'requests are not answered',
    );
  }

  async makeProject(): Promise<void> {
    const { call } = this.#deeds.createProject();
    await this.#world.until(() => this.#machine.hasDied || call.answered !== null, 'a project is not made');
  }

  #act(): void {
    const projects = [...this.#ideal.projects.values()];
    const chance = this.#random.next();
    if (projects.length < 2 || (chance < 0.02 && projects.length < shownProjects))
      return void this.#deeds.createProject();
    const project = this.#random.pick(projects);
    if (chance < 0.5) return this.#report(project);
    if (chance < 0.64) return this.#repeat(project);
    if (chance < 0.68) return this.#reportByOldKey(project);
    if (chance < 0.71) return void this.#deeds.rotate(project.id);
    if (chance < 0.76) return this.#upload(project);
    if (chance < 0.78) return this.#deleteMap(project);
    if (chance < 0.79) return void (projects.indexOf(project) > 0 && this.#deeds.deleteProject(project.id));
    if (chance < 0.8) return this.#machine.beginStop();
    const group = this.#groupOf(project);
    if (group === null) return this.#report(project);
    if (chance < 0.83) return void this.#deeds.deleteGroup(project.id, group);
    if (chance < 0.9)
      return void this.#deeds.status(project.id, group, this.#random.chance(0.8) ? 'resolved' : 'active');
    if (chance < 0.92 && !this.#machine.isStopping) return this.#machine.compact();
    if (chance < 0.97) return this.#readGroup(project, group);
    return this.#readList(project);
  }

  #report(project: IdealProject): void {
    const eventId = this.#random.chance(0.5) ? this.#newEventId() : null;
    const message = `${this.#random.pick(words)} is missing`;
    const pad = this.#random.chance(0.05) ? 20_000 : 0;
    if (eventId) this.#messages.set(eventId, message);
    // Of some, two or three come at once, as from a client that does not wait for an answer.
    const times = eventId && this.#random.chance(0.2) ? this.#random.between(2, 3) : 1;
    for (let time = 0; time < times; time++)
      this.#deeds.report(project.id, this.#keyOf(project), message, { eventId, pad });
  }

  #repeat(project: IdealProject): void {
    const earlier = ofKind(this.#deeds.done, 'report').flatMap((deed) =>
      deed.project === project.id && deed.eventId ? [deed.eventId] : [],
    );
    const known = [...project.firstAnswers].flatMap(([id, first]) => (this.#isClear(first) ? [id] : []));
    const usable = [...earlier.filter((id) => project.firstAnswers.get(id)?.group !== -1), ...known];
    if (usable.length === 0) return this.#report(project);
    const eventId = this.#random.pick(usable);
    const message = this.#messages.get(eventId);
    if (message) this.#deeds.report(project.id, this.#keyOf(project), message, { eventId });
  }

  /** Of those that are about a day old, by any clock, it is open whether they are remembered. */
  #isClear({ group, at }: { group: number; at: number }): boolean {
    if (group === -1) return false;
    return this.latest - at < 23 * hourMs || !isRemembered({ at: at + hourMs }, this.#world.now());
  }

  #reportByOldKey(project: IdealProject): void {
    const keys = [...this.#ideal.deadKeys];
    if (keys.length === 0) return this.#report(project);
    this.#deeds.report(project.id, this.#random.pick(keys), `${this.#random.pick(words)} is late`);
  }

  /**
   * One that has to wait until another is done would stand still for ever: while a map is looked through, nothing else
   * happens here.
   */
  #upload(project: IdealProject): void {
    const underWay = ofKind(this.#deeds.done, 'upload').filter(({ call }) => call.answered === null);
    if (underWay.length >= uploadsAtOnce) return this.#report(project);
    this.#deeds.upload(project.id, this.#random.pick(releases));
  }

  #deleteMap(project: IdealProject): void {
    const maps = [...project.maps.values()];
    if (maps.length > 0) this.#deeds.deleteMap(project.id, this.#random.pick(maps).id);
  }

  #groupOf(project: IdealProject): number | null {
    const told = ofKind(this.#deeds.done, 'report').flatMap(({ project: id, call }) =>
      id === project.id && call.status === 200 ? [call.body.error_group_id] : [],
    );
    const ids = [...Array.from(project.groups.values(), ({ id }) => id), ...told];
    return ids.length === 0 ? null : this.#random.pick(ids);
  }

  /** The newest one that anybody was told. */
  #keyOf(project: IdealProject): string {
    const rotations = ofKind(this.#deeds.done, 'rotate').filter(
      (deed) => deed.project === project.id && deed.call.status === 200,
    );
    const last = rotations.toSorted((a, b) => (a.call.answered ?? 0) - (b.call.answered ?? 0)).at(-1);
    return last?.call.body.api_key ?? project.key;
  }

  /** What was answered can be read at once. */
  #readGroup(project: IdealProject, id: number): void {
    const least = this.#leastCount(project, id);
    const path = this.#random.pick([`errors/${id}`, `errors/${id}/reports`]);
    const call = this.#machine.ask<Partial<ErrorGroup>>(
      { method: 'GET', path: `api/v1/${path}` },
      `GET ${path}`,
      ({ status, body, name }) => {
        if (status === 404 && !this.#mayBeGone(project, id)) this.#world.fail(`${name} was answered 404`);
        else if (![200, 404, 503].includes(status)) this.#world.fail(`${name} was answered ${status}`);
        else if (status === 200 && body.count !== undefined && body.count < least)
          this.#world.fail(`${name} shows ${body.count} reports, and ${least} were answered before`);
      },
    );
    this.#reads.push(call);
  }

  #readList(project: IdealProject): void {
    const least = new Map(
      Array.from(project.groups.values(), ({ id }): [number, number] => [id, this.#leastCount(project, id)]),
    );
    const path = `errors?project_id=${project.id}&size=100`;
    const call = this.#machine.ask<Page<ErrorGroup>>(
      { method: 'GET', path: `api/v1/${path}` },
      `GET ${path}`,
      ({ status, body, name }) => {
        if (status === 404 && this.#mayBeGone(project, 0)) return;
        if (status !== 200) return this.#world.fail(`${name} was answered ${status}`);
        for (const [id, count] of least) {
          const shown = body.items.find((group) => group.error_group_id === id);
          if ((shown && shown.count < count) || (!shown && !this.#mayBeGone(project, id)))
            this.#world.fail(
              `${name} shows ${shown?.count ?? 'no'} reports of group ${id}, and ${count} were answered`,
            );
        }
      },
    );
    this.#reads.push(call);
  }

  /** Reports of a group that were answered by now. */
  #leastCount(project: IdealProject, id: number): number {
    const before = [...project.groups.values()].find((group) => group.id === id)?.count ?? 0;
    const repeats = new Set<string>(project.firstAnswers.keys());
    let answered = 0;
    for (const { eventId, call } of ofKind(this.#deeds.done, 'report')) {
      if (call.status !== 200 || call.body.error_group_id !== id || (eventId && repeats.has(eventId))) continue;
      if (eventId) repeats.add(eventId);
      answered++;
    }
    return before + answered;
  }

  #mayBeGone(project: IdealProject, id: number): boolean {
    if (this.#ideal.deletedGroups.has(id)) return true;
    return this.#deeds.done.some(
      (deed) =>
        mayHaveHappened(deed) &&
        ((deed.kind === 'delete group' && deed.group === id) ||
          (deed.kind === 'delete project' && deed.project === project.id)),
    );
  }

  #newEventId(): string {
    return `00000000-0000-4000-8000-${String(++this.#eventIds).padStart(12, '0')}`;
  }
}
