import type { ErrorGroup } from '../../../packages/protocol/src/index.ts';
import { check } from './check.ts';
import { Deeds } from './deeds.ts';
import { Ideal } from './ideal.ts';
import type { Machine } from './machine.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import { mapsProbe } from './maps-probe.ts';
import { Rush } from './rush.ts';
import { seeAll, type SeenProject } from './seen.ts';
import { deaths } from './weather.ts';
import { Anomaly, type World } from './world.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A start may fail so often, or be killed, before all is well. */
const badStarts = 3;
const rushMs = 80;

/** A life of a server: rushes of requests, troubles in between, and after each a look at what it shows. */
export class Session {
  readonly #world: World;
  readonly #machine: Machine;
  readonly #random: SeededRandom;
  readonly #ideal = new Ideal();
  readonly #deeds: Deeds;
  readonly #rush: Rush;
  /** Troubles by chance. Without it they come only where somebody has put them. */
  readonly #isStormy: boolean;
  /** Whether the power fails when the server has died; null: as it comes. */
  readonly #losesPower: boolean | null;
  #latest = 0;
  #renames = 0;
  #looks = 0;
  /** As it was at the last look, with the groups that were looked at closely. */
  #last: { seen: SeenProject[]; close: ReadonlySet<number> } = { seen: [], close: new Set() };

  constructor(
    world: World,
    machine: Machine,
    { isStormy, losesPower }: { isStormy: boolean; losesPower: boolean | null },
  ) {
    this.#world = world;
    this.#machine = machine;
    this.#random = world.random.fork();
    this.#isStormy = isStormy;
    this.#losesPower = losesPower;
    this.#deeds = new Deeds(machine);
    this.#rush = new Rush(world, machine, this.#ideal, this.#deeds, this.#random);
  }

  async live(steps: number): Promise<void> {
    await this.#startAgain();
    for (let times = 0; times < 2; times++) {
      await this.#rush.makeProject();
      await this.#endProbe();
    }
    await this.#look();
    this.#world.releaseClock();
    for (let step = 0; step < steps; step++) {
      this.#world.note(`— step ${step + 1} —`);
      this.#gatherClouds();
      await this.#rush.run(this.#random.between(3, 24), rushMs);
      await this.#endRush();
      await this.#look();
      if (this.#random.chance(0.4)) await this.#probe();
      if (this.#random.chance(0.2)) await this.#rest();
      if (this.#random.chance(0.5)) await this.#comeBackTheSame();
      this.#world.releaseClock();
      if (this.#random.chance(0.3)) this.#jump();
    }
    this.#world.note('— the end —');
    await this.#look();
    await this.#comeBackTheSame();
  }

  #gatherClouds(): void {
    const { weather } = this.#machine;
    weather.failing = 0;
    if (!this.#isStormy) return;
    weather.clear();
    if (this.#random.chance(0.4)) weather.failing = this.#random.pick([0.02, 0.1, 0.3, 1]);
    if (this.#random.chance(0.4)) this.#die(40);
  }

  #die(within: number): void {
    const { weather } = this.#machine;
    weather.fates.set(weather.operations + this.#random.between(1, within), this.#random.pick(deaths));
  }

  async #endRush(): Promise<void> {
    const machine = this.#machine;
    if (machine.isStopping) await machine.stop();
    else if (machine.isRunning) await this.#maybeEnd();
    if (machine.isRunning) return this.#settle();
    const isLost = this.#random.chance(0.5);
    if (this.#losesPower ?? isLost) machine.losePower();
    await this.#startAgain();
  }

  async #maybeEnd(): Promise<void> {
    const way = this.#random.next();
    if (way < 0.12) await this.#machine.stop();
    else if (way < 0.25) this.#machine.kill();
    else if (way < 0.38) this.#machine.losePower();
  }

  /** Starts until it runs. Once its storage is well, it has to. */
  async #startAgain(): Promise<void> {
    const { weather } = this.#machine;
    if (this.#isStormy) weather.clear();
    for (let attempt = 0; attempt < badStarts && this.#isStormy; attempt++) {
      if (this.#random.chance(0.2)) weather.failing = 0.1;
      if (this.#random.chance(0.2)) this.#die(12);
      const isRunning = await this.#machine.start();
      weather.clear();
      if (isRunning) return;
      if (this.#random.chance(0.3)) this.#machine.losePower();
    }
    // One fate that was put there may meet the start; then all is well.
    if (!(await this.#machine.start()) && !(await this.#machine.start())) throw new Anomaly('It does not start again');
  }

  /** Once a write went well after one that did not, what became of the failed one is settled. */
  async #settle(): Promise<void> {
    const { weather } = this.#machine;
    if (this.#isStormy) weather.clear();
    const [home] = this.#ideal.projects.values();
    if (!home) return;
    const name = home.name;
    const request = { method: 'PUT', path: `api/v1/projects/${home.id}`, body: { name } };
    for (let attempt = 0; attempt < 2; attempt++) {
      const { troubles } = weather;
      const { status } = await this.#machine.answer(request, `settle ${++this.#renames}`);
      if (this.#machine.hasDied) return this.#startAgain();
      if (status === 404) return;
      if (status === 200) break;
      if (weather.troubles === troubles) throw new Anomaly(`The storage is well, and a write was answered ${status}`);
    }
    const ready = await this.#machine.answer({ method: 'GET', path: 'readyz' }, 'readyz');
    if (ready.status !== 200) throw new Anomaly('The storage is well, and the server says it is not');
  }

  /** Holds what it shows against what it has answered. */
  async #look(): Promise<void> {
    // What goes on in the background may still end the server.
    for (await this.#world.calm(); !this.#machine.isRunning; await this.#world.calm()) await this.#startAgain();
    this.#machine.weather.isQuiet = true;
    this.#world.freezeClock();
    const close = new Set<number>();
    const seen = await seeAll(this.#machine, (record) => {
      if (this.#isNews(record)) close.add(record.error_group_id);
      return close.has(record.error_group_id);
    });
    this.#last = { seen, close };
    this.#looks++;
    const now = this.#world.now();
    this.#latest = Math.max(this.#latest, now);
    check(this.#ideal, { deeds: this.#deeds.done, seen, rules: this.#machine.rules, now, latest: this.#latest });
    this.#deeds.done = [];
    this.#rush.latest = this.#latest;
    this.#machine.weather.isQuiet = false;
  }

  /** What has changed, and now and then what has not. */
  #isNews({ error_group_id: id, project_id, message, count }: ErrorGroup): boolean {
    const known = this.#ideal.projects.get(project_id)?.groups.get(message);
    return known?.id !== id || known.count !== count || (id + this.#looks) % 4 === 0;
  }

  /** In a quiet moment everything goes well at once. */
  async #probe(): Promise<void> {
    if (this.#isStormy) this.#machine.weather.clear();
    this.#world.releaseClock();
    await mapsProbe(this.#ideal, this.#machine, this.#deeds, this.#world, this.#random);
    await this.#rush.run(this.#random.between(1, 4), 10);
    await this.#endProbe();
    await this.#look();
  }

  /** Long enough for the server to tidy up by itself. */
  async #rest(): Promise<void> {
    this.#world.releaseClock();
    await this.#world.rest(4_000);
    await this.#endProbe();
    await this.#look();
  }

  async #endProbe(): Promise<void> {
    if (this.#machine.isStopping) await this.#machine.stop();
    if (!this.#machine.isRunning) await this.#startAgain();
    else await this.#settle();
  }

  /** Whatever way it ends, as long as nothing is asked and the clock stands still: started again, it shows the same as before. */
  async #comeBackTheSame(): Promise<void> {
    const { weather } = this.#machine;
    weather.isQuiet = true;
    const { seen, close } = this.#last;
    const before = JSON.stringify(seen);
    for (let times = this.#random.between(1, 2); times > 0; times--) {
      const way = this.#random.pick(['stop', 'kill', 'power'] as const);
      if (way === 'stop') await this.#machine.stop();
      else if (way === 'kill') this.#machine.kill();
      else this.#machine.losePower();
      if (!(await this.#machine.start())) throw new Anomaly('It does not start again');
    }
    const after = JSON.stringify(await seeAll(this.#machine, (record) => close.has(record.error_group_id)));
    if (after !== before) throw new Anomaly(`Started again it shows something else:\n${differenceOf(before, after)}`);
    weather.isQuiet = false;
  }

  #jump(): void {
    const hours = this.#random.between(1, 30) * hourMs;
    this.#world.jump(this.#random.pick([hours, -hours, 31 * dayMs, -31 * dayMs]));
    this.#world.note(`the clock jumps to ${new Date(this.#world.now()).toISOString()}`);
  }
}

function differenceOf(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at]) at++;
  const part = (text: string): string => text.slice(Math.max(0, at - 120), at + 120);
  return `  ${part(before)}\n  ${part(after)}`;
}
