import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { lowerPriority } from './priority.ts';

/** No process takes this long to start unless the machine hangs. */
const startLimitMs = 20_000;

export interface StandbyProcessOptions {
  /** The process ends after this time without a request. */
  idleMs: number;
  /** Flags of Node.js that limit its resources. If it exceeds them, only this process dies. */
  nodeFlags: readonly string[];
  /** How much lower its scheduling priority is than that of this process. Default: 0. */
  niceness?: number;
}

/** A child process did not respond in time. It has been killed. */
export class LateResponseError extends Error {}

/**
 * A child process for occasional work on input from clients. Starts with the first request, ends when it is idle, and
 * is replaced when it hangs or dies. It sends one message when it is ready, and responds to each message with one
 * message, one at a time.
 *
 * A worker thread would be cheaper. But V8 aborts the whole process in some cases, for example if it cannot compile a
 * regular expression near the end of the stack. Limits of a thread do not prevent that.
 */
export class StandbyProcess {
  readonly #file: string;
  readonly #options: StandbyProcessOptions;
  #child: ChildProcess | null = null;
  #isReady = false;
  #idle: NodeJS.Timeout | null = null;

  /** `file` must send `'ready'`, respond to `message` events of its `process`, and exit when it is disconnected. */
  constructor(file: URL, options: StandbyProcessOptions) {
    this.#file = fileURLToPath(file);
    this.#options = options;
  }

  /** Starts the process unless it runs, and resolves once it is ready. Rejects as `ask` does. */
  async ready(limitMs: number): Promise<void> {
    if (this.#child && this.#isReady) return;
    await this.#exchange(null, limitMs);
    this.#isReady = true;
  }

  /**
   * Resolves with the response. Rejects if the process dies before it responds, and with a LateResponseError after
   * `limitMs`. The time that a process takes to start does not count.
   */
  async ask<Result>(request: object, limitMs: number): Promise<Result> {
    await this.ready(startLimitMs);
    return this.#exchange(request, limitMs);
  }

  async #exchange<Result>(request: object | null, limitMs: number): Promise<Result> {
    if (this.#idle) clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    try {
      const response = await responseOf<Result>(child, request, limitMs);
      unref(child);
      this.#idle = setTimeout(() => void this.close(), this.#options.idleMs).unref();
      return response;
    } catch (error) {
      if (this.#child === child) this.#child = null;
      await end(child);
      throw error;
    }
  }

  async close(): Promise<void> {
    if (this.#idle) clearTimeout(this.#idle);
    const child = this.#child;
    this.#child = null;
    if (child) await end(child);
  }

  #start(): ChildProcess {
    this.#isReady = false;
    const child = fork(this.#file, {
      // The options of this process (an inspector, preloaded modules, secrets) are not meant for the child.
      execArgv: [...this.#options.nodeFlags],
      env: baseEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // `responseOf` rejects the request. Without a listener, a child that cannot be started would end this process.
    child.on('error', () => undefined);
    const { niceness } = this.#options;
    if (child.pid !== undefined && niceness) lowerPriority(child.pid, niceness);
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    return child;
  }
}

/** Returns the only variable that the child gets. Windows starts no program without it. */
function baseEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
}

/** Sends a request, unless it is null, and resolves with the next message of the process. */
function responseOf<Result>(child: ChildProcess, request: object | null, limitMs: number): Promise<Result> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(
      () => fail(new LateResponseError(`A child process did not respond within ${limitMs} ms.`)),
      limitMs,
    );
    const onResponse = (response: unknown): void => {
      leave();
      resolve(response as Result);
    };
    const fail = (error: Error): void => {
      leave();
      reject(error);
    };
    const ended = (code: number | null, signal: string | null): void =>
      fail(new Error(`A child process exited before it responded (${signal ?? `code ${code}`}).`));
    const leave = (): void => {
      clearTimeout(late);
      child.off('message', onResponse).off('error', fail).off('exit', ended);
    };
    child.on('message', onResponse).on('error', fail).on('exit', ended);
    child.ref();
    child.channel?.ref();
    // A process that cannot be reached is dying or useless. The `ended` listener reports how it ended.
    if (request) child.send(request, (error) => error && child.kill('SIGKILL'));
  });
}

/** Lets this process exit while the child runs. The child then also exits. */
function unref(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** Kills the process and resolves once it has exited. It has no state that a kill could damage. */
async function end(child: ChildProcess): Promise<void> {
  // A process that could not be started emits no exit event.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
