import { createApp } from '../../../packages/server/src/app.ts';
import { parseConfig, type Config } from '../../../packages/server/src/config.ts';
import { openServices, type Services } from '../../../packages/server/src/services.ts';
import { Process } from './process.ts';
import type { SeededRandom } from '../../test-utils/seeded-random.mjs';
import type { Storage } from './storage.ts';
import type { Weather } from './weather.ts';
import { Anomaly, type World } from './world.ts';

const adminToken = 'simulated-admin-token';

export interface Call<Body = unknown> {
  /** For the trace. */
  name: string;
  asked: number;
  /** Null: nobody answered, for the server died. */
  answered: number | null;
  status: number;
  code: string | null;
  body: Body;
  /** Operations of the storage that went wrong until it was asked. */
  troublesBefore: number;
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

/** A machine with its storage, on which the server is started, stopped and killed: asked as the world asks it. */
export class Machine {
  readonly rules: Rules;
  readonly weather: Weather;
  readonly #world: World;
  readonly #random: SeededRandom;
  readonly #config: Config;
  readonly #storage: Storage;
  #process: Process | null = null;
  #services: Services | null = null;
  #fetch: (request: globalThis.Request) => Response | Promise<Response> = () => new Response(null, { status: 599 });
  #isClosed = false;
  /** A server that stops refuses what comes after. */
  isStopping = false;

  constructor(world: World, storage: Storage, weather: Weather, rules: Rules) {
    this.#world = world;
    this.#random = world.random.fork();
    this.#storage = storage;
    this.weather = weather;
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

  get services(): Services {
    if (!this.#services) throw new Error('The server does not run.');
    return this.#services;
  }

  /** Starts the server. False if its storage failed, or it was killed on the way. */
  async start(): Promise<boolean> {
    const process = new Process(this.#world, this.weather, this.#random);
    this.#process = process;
    this.#services = null;
    this.isStopping = false;
    const { troubles } = this.weather;
    this.#world.note('start');
    let hasDied = false;
    process.onDeath = () => void (hasDied = true);
    const starting = openServices(this.#config, {
      driver: this.#storage.driver(process, this.#random),
      now: this.#world.now,
      timing: process.timing,
    }).then(
      (services) => ({ services, error: null }),
      (error: unknown) => ({ services: null, error }),
    );
    let started: Awaited<typeof starting> | null = null;
    void starting.then((result) => void (started = result));
    await this.#world.until(() => hasDied || started !== null, 'the start');
    const result = hasDied ? null : await starting;
    if (!result) {
      this.#world.note('killed while it started');
      return false;
    }
    if (!result.services) {
      this.#world.note(`did not start: ${String(result.error)}`);
      if (this.weather.troubles === troubles)
        throw new Anomaly(`It does not start, though its storage does its work: ${String(result.error)}`, {
          cause: result.error,
        });
      process.die();
      return false;
    }
    this.#services = result.services;
    const app = createApp(result.services);
    this.#fetch = (request) => app.fetch(request);
    return true;
  }

  /** Begins to stop as on SIGTERM: what was taken is answered, what comes now is refused. */
  beginStop(): void {
    if (this.isStopping || !this.isRunning) return;
    this.#world.note('stop');
    this.isStopping = true;
    const settle = (): void => void (this.#isClosed = true);
    this.#isClosed = false;
    this.services.close().then(settle, settle);
  }

  async stop(): Promise<void> {
    this.beginStop();
    await this.#world.until(() => this.#isClosed || this.hasDied, 'the stop');
    this.#world.note('stopped');
    this.#process?.die();
    this.#services = null;
  }

  /** `kill -9`: what the system has in memory is written later. */
  kill(): void {
    this.#world.note('kill');
    this.#process?.die();
    this.#services = null;
  }

  losePower(): void {
    this.#process?.die();
    this.#services = null;
    this.#world.note('the power fails');
    this.#storage.losePower(this.#random);
  }

  get hasDied(): boolean {
    return this.#process?.isAlive === false;
  }

  /** Has the log written anew. That may fail, and nobody is told; but no process may end of it. */
  compact(): void {
    this.#world.note('compact');
    const tell = (how: string) => (): void => this.#world.note(`compacted: ${how}`);
    this.services.store.compact().then(tell('done'), tell('given up'));
  }

  /** Asks the server. `done` is called with the answer, never if the server dies before. */
  ask<Body>(request: Request, name: string, done: (call: Call<Body>) => void = () => undefined): Call<Body> {
    const call: Call<Body> = {
      name,
      asked: this.#world.order(),
      answered: null,
      status: 0,
      code: null,
      body: {} as Body,
      troublesBefore: this.weather.troubles,
    };
    const process = this.#process;
    this.#world.note(`→ ${name}`);
    // An uploaded map is looked through and packed before the storage hears of it.
    const release = request.type ? this.#world.hold() : () => undefined;
    if (process && request.type) this.#releaseWith(process, release);
    void this.#answer(request).then(({ status, text }) => {
      release();
      if (!process?.isAlive) return;
      call.answered = this.#world.order();
      call.status = status;
      call.body = (text === '' ? {} : JSON.parse(text)) as Body;
      call.code = (call.body as { code?: string }).code ?? null;
      this.#world.note(`← ${name}: ${status}${call.code ? ` ${call.code}` : ''}${shown(call.body)}`);
      this.#assertHonest(call);
      done(call);
    });
    return call;
  }

  /** Asks, and lets happen what has to happen for an answer. */
  async answer<Body>(request: Request, name: string): Promise<Call<Body>> {
    let isDone = false;
    const call = this.ask<Body>(request, name, () => void (isDone = true));
    await this.#world.until(() => isDone || this.hasDied, name);
    return call;
  }

  async #answer({ method, path, body, type = 'application/json' }: Request): Promise<{ status: number; text: string }> {
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

  /** A storage that fails is a 503 and never anything else, and what goes well is never a 503. */
  #assertHonest(call: Call): void {
    if (call.status >= 500 && call.status !== 503) this.#world.fail(`${call.name} was answered ${call.status}`);
    if (call.status !== 503) return;
    if (call.code === 'shutting_down' && this.isStopping) return;
    if (call.code !== 'storage_unavailable') this.#world.fail(`${call.name} was answered 503 ${call.code}`);
    if (this.weather.troubles === call.troublesBefore)
      this.#world.fail(`${call.name} was refused, though the storage did its work`);
  }
}

function shown(body: unknown): string {
  const { error_group_id: group, is_new_group: isNew, count } = body as Record<string, unknown>;
  return `${group === undefined ? '' : ` group ${String(group)}`}${isNew ? ' new' : ''}${count === undefined ? '' : ` count ${String(count)}`}`;
}
