import { fork, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface StandbyProcessOptions {
  /** After this time without a question the process is ended. */
  idleMs: number;
  /** Flags of Node.js that bound what it may use. Past them it dies, and nothing else with it. */
  nodeFlags: readonly string[];
}

/**
 * A child process for occasional work on what strangers have sent. It starts with the first question, ends when none
 * has come for a while, and is replaced when it hangs or dies. It answers each message with one of its own, and is
 * asked one at a time.
 *
 * A worker thread would be cheaper, but where V8 gives up, for example when it can't compile a regular expression near
 * the end of the stack, it aborts the whole process, whatever limits the thread has.
 */
export class StandbyProcess {
  readonly #file: string;
  readonly #options: StandbyProcessOptions;
  #child: ChildProcess | null = null;
  #idle: NodeJS.Timeout | null = null;

  /** `file` answers `message` events of its `process`, and exits when it is disconnected. */
  constructor(file: URL, options: StandbyProcessOptions) {
    this.#file = fileURLToPath(file);
    this.#options = options;
  }

  /** Resolves with the answer. Rejects if the process dies before it answers or has no answer after `limitMs`. */
  async ask<Answer>(request: object, limitMs: number): Promise<Answer> {
    if (this.#idle) clearTimeout(this.#idle);
    const child = (this.#child ??= this.#start());
    try {
      const answer = await answerOf<Answer>(child, request, limitMs);
      unref(child);
      this.#idle = setTimeout(() => void this.close(), this.#options.idleMs).unref();
      return answer;
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
    const child = fork(this.#file, {
      // What this process was started with (an inspector, modules to load first, secrets) is not meant for it.
      execArgv: [...this.#options.nodeFlags],
      env: baseEnvironment(),
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    // `answerOf` rejects the question. Without a listener, a process that can't be started would end this one.
    child.on('error', () => undefined);
    child.once('exit', () => {
      if (this.#child === child) this.#child = null;
    });
    return child;
  }
}

/** Windows starts no program without it. */
function baseEnvironment(): NodeJS.ProcessEnv {
  const { SystemRoot } = process.env;
  return SystemRoot === undefined ? {} : { SystemRoot };
}

function answerOf<Answer>(child: ChildProcess, request: object, limitMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => fail(new Error(`A child process had no answer after ${limitMs} ms.`)), limitMs);
    const answered = (answer: unknown): void => {
      leave();
      resolve(answer as Answer);
    };
    const fail = (error: Error): void => {
      leave();
      reject(error);
    };
    const ended = (code: number | null, signal: string | null): void =>
      fail(new Error(`A child process ended before it had answered (${signal ?? `code ${code}`}).`));
    const leave = (): void => {
      clearTimeout(late);
      child.off('message', answered).off('error', fail).off('exit', ended);
    };
    child.on('message', answered).on('error', fail).on('exit', ended);
    child.ref();
    child.channel?.ref();
    // A process that can't be reached is dying or useless: `ended` says how it ended.
    child.send(request, (error) => error && child.kill('SIGKILL'));
  });
}

/** This process may end although the child is there; the child then ends, too. */
function unref(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
}

/** Resolves once the process is gone. It holds nothing that a kill could damage. */
async function end(child: ChildProcess): Promise<void> {
  // One that could not be started has no exit to wait for.
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.ref();
  await new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGKILL');
  });
}
