import type { ErrorGroup } from '../../../packages/protocol/src/index.ts';
import { check } from './check.ts';
import { checkTimes } from './check-times.ts';
import { Client } from './client.ts';
import { Model } from './model.ts';
import type { Machine } from './machine.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import { probeMap } from './probe-map.ts';
import { Workload } from './workload.ts';
import { readState, type ObservedProject } from './observed-state.ts';
import { deadlyFaults } from './fault-injector.ts';
import { Anomaly } from './anomaly.ts';
import type { Scheduler } from './scheduler.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const yearMs = 365 * dayMs;
/** Starts that may fail or be killed before one must succeed. */
const maxFailedStarts = 3;
const workloadMs = 80;

/** Runs one simulated session: phases of requests with faults, each followed by a check of the server's state. */
export class Session {
  readonly #scheduler: Scheduler;
  readonly #machine: Machine;
  readonly #random: SeededRandom;
  readonly #model = new Model();
  readonly #client: Client;
  readonly #workload: Workload;
  /** True if faults are injected at random. Otherwise only the planned fault is injected. */
  readonly #hasRandomFaults: boolean;
  /** True if the power fails when the server dies. Null means at random. */
  readonly #losesPower: boolean | null;
  #latest = 0;
  #renames = 0;
  /** True if the clock has jumped since the last check. */
  #hasJumped = false;
  /** True once the clock is set right at the end. */
  #isClockRight = false;
  #checks = 0;
  /** The state at the last check, and the groups that were read in full. */
  #lastState: { seen: ObservedProject[]; close: ReadonlySet<number> } = { seen: [], close: new Set() };

  constructor(
    scheduler: Scheduler,
    machine: Machine,
    { hasRandomFaults, losesPower }: { hasRandomFaults: boolean; losesPower: boolean | null },
  ) {
    this.#scheduler = scheduler;
    this.#machine = machine;
    this.#random = scheduler.random.fork();
    this.#hasRandomFaults = hasRandomFaults;
    this.#losesPower = losesPower;
    this.#client = new Client(machine);
    this.#workload = new Workload(scheduler, machine, this.#model, this.#client, this.#random);
  }

  async run(steps: number): Promise<void> {
    await this.#restart();
    for (let times = 0; times < 2; times++) {
      await this.#workload.makeProject();
      await this.#endProbe();
    }
    await this.#checkState();
    this.#scheduler.releaseClock();
    for (let step = 0; step < steps; step++) {
      this.#scheduler.note(`— step ${step + 1} —`);
      this.#chooseFaults();
      await this.#workload.run(this.#random.between(3, 24), workloadMs);
      await this.#endWorkload();
      await this.#checkState();
      if (this.#random.chance(0.4)) await this.#probe();
      if (this.#random.chance(0.2)) await this.#idle();
      if (this.#random.chance(0.5)) await this.#checkRestart();
      this.#scheduler.releaseClock();
      // Before the first report, the server believes its clock.
      const hasReports = this.#lastState.seen.some(({ groups }) => groups.length > 0);
      if (hasReports && this.#random.chance(0.3)) await this.#jumpClock();
    }
    this.#scheduler.note('— end —');
    await this.#checkState();
    await this.#checkRestart();
    await this.#checkTimes();
  }

  #chooseFaults(): void {
    const { faults } = this.#machine;
    faults.failureRate = 0;
    if (!this.#hasRandomFaults) return;
    faults.clear();
    if (this.#random.chance(0.4)) {
      const rate = this.#random.pick([0.02, 0.1, 0.3, 1]);
      faults.failureRate = Math.min(rate, this.#machine.maxFailureRate);
    }
    if (this.#random.chance(0.4)) this.#planCrash(40);
  }

  #planCrash(within: number): void {
    const { faults } = this.#machine;
    faults.plannedFaults.set(faults.operations + this.#random.between(1, within), this.#random.pick(deadlyFaults));
  }

  async #endWorkload(): Promise<void> {
    const machine = this.#machine;
    if (machine.isStopping) await machine.stop();
    else if (machine.isRunning) await this.#maybeStop();
    if (machine.isRunning) return this.#settleWrites();
    const isLost = this.#random.chance(0.5);
    if (this.#losesPower ?? isLost) machine.losePower();
    await this.#restart();
  }

  async #maybeStop(): Promise<void> {
    const way = this.#random.next();
    if (way < 0.12) await this.#machine.stop();
    else if (way < 0.25) this.#machine.kill();
    else if (way < 0.38) this.#machine.losePower();
  }

  /** Starts the server, after some failed attempts. The start must succeed once no faults are injected. */
  async #restart(): Promise<void> {
    const { faults } = this.#machine;
    if (this.#hasRandomFaults) faults.clear();
    for (let attempt = 0; attempt < maxFailedStarts && this.#hasRandomFaults; attempt++) {
      if (this.#random.chance(0.2)) faults.failureRate = 0.1;
      if (this.#random.chance(0.2)) this.#planCrash(12);
      const isRunning = await this.#machine.start();
      faults.clear();
      if (isRunning) return;
      if (this.#random.chance(0.3)) this.#machine.losePower();
    }
    // A planned fault may hit the first of these starts, but not the second.
    if (!(await this.#machine.start()) && !(await this.#machine.start()))
      throw new Anomaly('The server does not start again');
  }

  /** Writes until a write succeeds, which settles the outcome of a failed one before it. Two attempts must suffice. */
  async #settleWrites(): Promise<void> {
    const { faults } = this.#machine;
    if (this.#hasRandomFaults) faults.clear();
    const [home] = this.#model.projects.values();
    if (!home) return;
    const name = home.name;
    if (this.#machine.isUnsettled) await this.#rest(2_500);
    if (this.#machine.hasDied) return this.#restart();
    const request = { method: 'PUT', path: `api/v1/projects/${home.id}`, body: { name } };
    for (let attempt = 0; attempt < 2; attempt++) {
      const { injected } = faults;
      const { status } = await this.#machine.sendAndWait(request, `settle ${++this.#renames}`);
      if (this.#machine.hasDied) return this.#restart();
      if (status === 404) return;
      if (status === 200) break;
      if (faults.injected === injected) throw new Anomaly(`A write got status ${status} although the storage works`);
    }
    const ready = await this.#machine.sendAndWait({ method: 'GET', path: 'readyz' }, 'readyz');
    if (ready.status !== 200) throw new Anomaly('The server is not ready although its storage works');
  }

  /** Reads the state of the server and checks it against the responses. */
  async #checkState(): Promise<void> {
    // Background work may still crash the server.
    for (await this.#scheduler.drain(); !this.#machine.isRunning; await this.#scheduler.drain()) await this.#restart();
    this.#machine.faults.isPaused = true;
    this.#scheduler.freezeClock();
    const close = new Set<number>();
    const seen = await readState(this.#machine, (record) => {
      if (this.#mustReadInFull(record)) close.add(record.error_group_id);
      return close.has(record.error_group_id);
    });
    this.#lastState = { seen, close };
    this.#checks++;
    const now = this.#machine.services.store.now();
    this.#latest = Math.max(this.#latest, now, this.#scheduler.now());
    check(this.#model, {
      operations: this.#client.history,
      seen,
      rules: this.#machine.rules,
      now,
      latest: this.#latest,
      hasJumped: this.#hasJumped,
      isClockRight: this.#isClockRight,
    });
    this.#hasJumped = false;
    this.#client.history = [];
    this.#workload.latest = this.#latest;
    this.#machine.faults.isPaused = false;
  }

  /** Returns whether to read a group in full: if it or the clock has changed, and every fourth time. */
  #mustReadInFull({ error_group_id: id, project_id, message, count }: ErrorGroup): boolean {
    const known = this.#model.projects.get(project_id)?.groups.get(message);
    return this.#hasJumped || known?.id !== id || known.count !== count || (id + this.#checks) % 4 === 0;
  }

  /** Checks a map and sends a few requests while no faults are injected at random. */
  async #probe(): Promise<void> {
    if (this.#hasRandomFaults) this.#machine.faults.clear();
    this.#scheduler.releaseClock();
    await probeMap(this.#model, this.#machine, this.#client, this.#scheduler, this.#random);
    await this.#workload.run(this.#random.between(1, 4), 10);
    await this.#endProbe();
    await this.#checkState();
  }

  /** Advances time. A write that is on its way may still end the process. */
  #rest(ms: number): Promise<void> {
    return this.#scheduler.idle(ms, () => this.#machine.hasDied);
  }

  /** Leaves the server idle until it compacts its log. */
  async #idle(): Promise<void> {
    this.#scheduler.releaseClock();
    await this.#rest(4_000);
    await this.#endProbe();
    await this.#checkState();
  }

  async #endProbe(): Promise<void> {
    if (this.#machine.isStopping) await this.#machine.stop();
    if (!this.#machine.isRunning) await this.#restart();
    else await this.#settleWrites();
  }

  /** Checks that a restart, after any way to end, shows the same state. The clock is stopped and nothing is sent. */
  async #checkRestart(): Promise<void> {
    const { faults } = this.#machine;
    faults.isPaused = true;
    const { seen, close } = this.#lastState;
    const before = JSON.stringify(seen);
    for (let times = this.#random.between(1, 2); times > 0; times--) {
      const way = this.#random.pick(['stop', 'kill', 'power'] as const);
      if (way === 'stop') await this.#machine.stop();
      else if (way === 'kill') this.#machine.kill();
      else this.#machine.losePower();
      if (!(await this.#machine.start())) throw new Anomaly('The server does not start again');
    }
    const after = JSON.stringify(await readState(this.#machine, (record) => close.has(record.error_group_id)));
    if (after !== before) throw new Anomaly(`The state differs after a restart:\n${differenceOf(before, after)}`);
    faults.isPaused = false;
  }

  /** Lets the clock leap: while the server runs, during a compaction, or between two starts. */
  async #jumpClock(): Promise<void> {
    const hours = this.#random.between(1, 30) * hourMs;
    const jump = this.#random.pick([hours, -hours, 31 * dayMs, -31 * dayMs, 10 * yearMs, -10 * yearMs]);
    const when = this.#random.pick(['running', 'compaction', 'start'] as const);
    if (when === 'compaction') {
      this.#machine.compact();
      await this.#rest(this.#random.between(0, 30));
    } else if (when === 'start') {
      if (this.#random.chance(0.5)) await this.#machine.stop();
      else this.#machine.kill();
    }
    this.#hasJumped = true;
    this.#scheduler.jumpClock(jump);
    this.#scheduler.note(`the clock jumps to ${new Date(this.#scheduler.now()).toISOString()}`);
    if (when === 'start') await this.#restart();
    await this.#endProbe();
  }

  /** Sets the clock right, and checks that no report is hidden then, and that no time is wrong. */
  async #checkTimes(): Promise<void> {
    this.#scheduler.releaseClock();
    this.#scheduler.correctClock();
    this.#hasJumped = true;
    this.#isClockRight = true;
    this.#scheduler.note('the clock is right again');
    if (this.#random.chance(0.5)) {
      await this.#machine.stop();
      await this.#restart();
    }
    await this.#settleWrites();
    await this.#checkState();
    for (const { groups } of this.#lastState.seen) for (const group of groups) checkTimes(group, this.#scheduler.now());
    await this.#checkRestart();
  }
}

function differenceOf(before: string, after: string): string {
  let at = 0;
  while (before[at] === after[at]) at++;
  const part = (text: string): string => text.slice(Math.max(0, at - 120), at + 120);
  return `  ${part(before)}\n  ${part(after)}`;
}
