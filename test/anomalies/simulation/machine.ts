import { createApp } from '../../../packages/server/src/app.ts';
import { parseConfig, type Config } from '../../../packages/server/src/config.ts';
import { hashPassword } from '../../../packages/server/src/credentials/password.ts';
import { openServices, type Services } from '../../../packages/server/src/services.ts';
import { Process } from './process.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import type { Storage } from './storage.ts';
import type { FaultInjector } from './fault-injector.ts';
import { SimulatedFunctionNames } from './function-names.ts';
import { Anomaly } from './anomaly.ts';
import type { Scheduler } from './scheduler.ts';

const adminToken = 'simulated-admin-token';
const lateNamesChance = 0.2;

export interface Call<Body = unknown> {
  /** For the trace. */
  name: string;
  sentAt: number;
  /** Null if the server died first. */
  respondedAt: number | null;
  status: number;
  code: string | null;
  body: Body;
  /** The number of faults before the call was sent, without those in flight. */
  injectedBefore: number;
}

export interface Request {
  method: string;
  path: string;
  body?: object | Buffer;
  type?: string;
}

export interface Rules {
  errorQuota: number | null;
  retentionReports: number;
}

/** A machine with its storage. Starts, stops and kills the server on it, and sends requests to the server. */
export class Machine {
  readonly rules: Rules;
  readonly faults: FaultInjector;
  readonly #scheduler: Scheduler;
  readonly #random: SeededRandom;
  readonly #config: Config;
  readonly #storage: Storage;
  #process: Process | null = null;
  #services: Services | null = null;
  #fetch: (request: globalThis.Request) => Response | Promise<Response> = () => new Response(null, { status: 599 });
  #isClosed = false;
  /** A stopping server rejects new requests. */
  isStopping = false;

  constructor(scheduler: Scheduler, storage: Storage, faults: FaultInjector, rules: Rules) {
    this.#scheduler = scheduler;
    this.#random = scheduler.random.fork();
    this.#storage = storage;
    this.faults = faults;
    this.rules = rules;
    this.#config = parseConfig({
      storage: 'memory:',
      adminToken,
      adminPassword: 'correct horse battery',
      logLevel: 'silent',
      ...rules,
    });
  }

  get isRunning(): boolean {
    return this.#process?.isAlive === true && this.#services !== null;
  }

  /** True while the server may still repeat a failed write and therefore rejects others. */
  get isUnsettled(): boolean {
    return this.#scheduler.time < this.faults.lastAt + this.#storage.settleMs;
  }

  get maxFailureRate(): number {
    return this.#storage.maxFailureRate;
  }

  get services(): Services {
    if (!this.#services) throw new Error('The server does not run.');
    return this.#services;
  }

  /** Starts the server. Resolves with false if its storage failed or it was killed during the start. */
  async start(): Promise<boolean> {
    const process = new Process(this.#scheduler, this.faults, this.#random);
    this.#process = process;
    this.#services = null;
    this.isStopping = false;
    const { injected } = this.faults;
    this.#scheduler.note('start');
    let hasDied = false;
    process.onDeath = () => {
      hasDied = true;
      // The operating system ends the timers, threads and child processes of a dead server. In the
      // simulation they would keep running and keep its memory.
      this.#services?.store.model.lists.close();
      void this.#services?.mapIndexing.close();
      void this.#services?.functionNames.close();
    };
    // While the state is compared, no name may be late: the responses must be complete.
    const areNamesLate = (): boolean => !this.faults.isPaused && this.#random.chance(lateNamesChance);
    const starting = openServices(this.#config, {
      driver: this.#storage.driver(process, this.#random),
      now: this.#scheduler.now,
      timing: process.timing,
      openFunctionNames: (options) => new SimulatedFunctionNames(this.#scheduler, areNamesLate, options),
    }).then(
      (services) => ({ services, error: null }),
      (error: unknown) => ({ services: null, error }),
    );
    let started: Awaited<typeof starting> | null = null;
    void starting.then((result) => void (started = result));
    await this.#scheduler.until(() => hasDied || started !== null, 'the start');
    const result = hasDied ? null : await starting;
    if (!result) {
      this.#scheduler.note('killed during the start');
      return false;
    }
    if (!result.services) {
      this.#scheduler.note(`did not start: ${String(result.error)}`);
      if (this.faults.injected === injected)
        throw new Anomaly(`The server does not start although its storage works: ${String(result.error)}`, {
          cause: result.error,
        });
      process.die();
      return false;
    }
    this.#services = result.services;
    const app = createApp(result.services);
    this.#fetch = (request) => app.fetch(request);
    // Passwords are hashed one at a time, in real time. Once this one is hashed, that of the
    // first owner is too.
    await hashPassword('correct horse battery', 'simulation');
    return true;
  }

  /** Begins to stop, as on SIGTERM: completes accepted requests and rejects new ones. */
  beginStop(): void {
    if (this.isStopping || !this.isRunning) return;
    this.#scheduler.note('stop');
    this.isStopping = true;
    const settle = (): void => void (this.#isClosed = true);
    this.#isClosed = false;
    this.services.close().then(settle, settle);
  }

  async stop(): Promise<void> {
    this.beginStop();
    await this.#scheduler.until(() => this.#isClosed || this.hasDied, 'the stop');
    this.#scheduler.note('stopped');
    this.end();
  }

  /** Ends the process of the server, if it runs, and frees its memory. */
  end(): void {
    this.#process?.die();
    this.#services = null;
  }

  /** Kills the server as `kill -9` does: the operating system still writes cached data. */
  kill(): void {
    this.#scheduler.note('kill');
    this.end();
  }

  losePower(): void {
    this.end();
    this.#scheduler.note('the power fails');
    this.#storage.losePower(this.#random);
  }

  get hasDied(): boolean {
    return this.#process?.isAlive === false;
  }

  /** Starts a compaction. It may fail silently, but must not crash the process. */
  compact(): void {
    this.#scheduler.note('compact');
    const note = (how: string) => (): void => this.#scheduler.note(`compacted: ${how}`);
    this.services.store.compact().then(note('done'), note('given up'));
  }

  /** Sends a request. Calls `done` with the response, unless the server dies first. */
  send<Body>(request: Request, name: string, done: (call: Call<Body>) => void = () => undefined): Call<Body> {
    const call: Call<Body> = {
      name,
      sentAt: this.#scheduler.order(),
      respondedAt: null,
      status: 0,
      code: null,
      body: {} as Body,
      injectedBefore: this.faults.injected - this.faults.inFlight,
    };
    const process = this.#process;
    this.#scheduler.note(`→ ${name}`);
    // An uploaded map is parsed and compressed before the storage is used.
    const release = request.type ? this.#scheduler.hold() : () => undefined;
    if (process && request.type) this.#releaseWith(process, release);
    void this.#respond(request).then(({ status, text }) => {
      release();
      if (!process?.isAlive) return;
      call.respondedAt = this.#scheduler.order();
      call.status = status;
      call.body = (text === '' ? {} : JSON.parse(text)) as Body;
      call.code = (call.body as { code?: string }).code ?? null;
      this.#scheduler.note(`← ${name}: ${status}${call.code ? ` ${call.code}` : ''}${shown(call.body)}`);
      this.#checkStatus(call);
      done(call);
    });
    return call;
  }

  /** Sends a request and runs the simulation until the response arrives or the server dies. */
  async sendAndWait<Body>(request: Request, name: string): Promise<Call<Body>> {
    let isDone = false;
    const call = this.send<Body>(request, name, () => void (isDone = true));
    await this.#scheduler.until(() => isDone || this.hasDied, name);
    return call;
  }

  async #respond({
    method,
    path,
    body,
    type = 'application/json',
  }: Request): Promise<{ status: number; text: string }> {
    const response = await this.#fetch(
      new globalThis.Request(`http://127.0.0.1:4400/${path}`, {
        method,
        headers: { authorization: `Bearer ${adminToken}`, ...(body && { 'content-type': type }) },
        ...(body && { body: Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body) }),
      }),
    );
    return { status: response.status, text: await response.text() };
  }

  #releaseWith(process: Process, release: () => void): void {
    process.onBlob = release;
  }

  /** Checks that a request gets status 503 only after a storage failure or from a stopping server, and no other 5xx. */
  #checkStatus(call: Call): void {
    if (call.status >= 500 && call.status !== 503) this.#scheduler.fail(`${call.name} got status ${call.status}`);
    if (call.status !== 503) return;
    if (call.code === 'shutting_down' && this.isStopping) return;
    if (call.code !== 'storage_unavailable') this.#scheduler.fail(`${call.name} got status 503 ${call.code}`);
    if (this.faults.injected === call.injectedBefore && !this.isUnsettled)
      this.#scheduler.fail(`${call.name} was rejected although the storage works`);
  }
}

function shown(body: unknown): string {
  const { error_group_id: group, is_new_group: isNew, count } = body as Record<string, unknown>;
  return `${group === undefined ? '' : ` group ${String(group)}`}${isNew ? ' new' : ''}${count === undefined ? '' : ` count ${String(count)}`}`;
}
