import { machineTiming, type Timing } from '../time/timing.ts';

/**
 * The maximum number of large bodies that are read at a time. Together they take some milliseconds in an iteration of
 * the event loop.
 */
const maxReading = 8;
/** A body from which nothing has arrived for this long gives its turn to the next one. */
const stalledMs = 10;

/** The methods of a body that takes turns. */
export interface PausableBody {
  pause(): unknown;
  resume(): unknown;
}

/** The turn of one body. */
export interface BodyTurn {
  /** Call it when bytes arrive. */
  receive(): void;
  /** Call it when no more bytes are read. */
  end(): void;
}

interface TurnReader {
  body: PausableBody;
  receivedMs: number;
}

/**
 * Lets large bodies take turns: a client that sends a hundred of them at a time would otherwise fill each iteration of
 * the event loop with half a second of reading, and a server accepts only one new connection in an iteration. The bytes
 * of the waiting bodies stay in the buffers of their connections. A slow body holds no turn between its bytes.
 */
export class BodyTurns {
  readonly #timing: Pick<Timing, 'now' | 'every'>;
  readonly #reading = new Set<TurnReader>();
  readonly #waiting = new Set<TurnReader>();
  #stopChecks: (() => void) | null = null;

  constructor(timing: Pick<Timing, 'now' | 'every'> = machineTiming) {
    this.#timing = timing;
  }

  /** Begins the turns of a body, which may be paused at once. */
  join(body: PausableBody): BodyTurn {
    const reader: TurnReader = { body, receivedMs: 0 };
    let isOver = false;
    this.#receive(reader);
    return {
      receive: () => {
        if (!isOver) this.#receive(reader);
      },
      end: () => {
        isOver = true;
        this.#waiting.delete(reader);
        if (this.#reading.delete(reader)) this.#resumeNext();
        this.#stopChecksIfIdle();
      },
    };
  }

  #receive(reader: TurnReader): void {
    reader.receivedMs = this.#timing.now();
    if (this.#reading.has(reader) || this.#waiting.has(reader)) return;
    if (this.#reading.size < maxReading) {
      this.#reading.add(reader);
      return;
    }
    reader.body.pause();
    this.#waiting.add(reader);
    this.#stopChecks ??= this.#timing.every(stalledMs, () => this.#endStalled());
  }

  #endStalled(): void {
    const now = this.#timing.now();
    for (const reader of this.#reading) {
      if (this.#waiting.size === 0) break;
      if (now - reader.receivedMs < stalledMs) continue;
      this.#reading.delete(reader);
      this.#resumeNext();
    }
    this.#stopChecksIfIdle();
  }

  #resumeNext(): void {
    for (const reader of this.#waiting) {
      this.#waiting.delete(reader);
      this.#reading.add(reader);
      reader.receivedMs = this.#timing.now();
      reader.body.resume();
      return;
    }
  }

  #stopChecksIfIdle(): void {
    if (this.#waiting.size > 0) return;
    this.#stopChecks?.();
    this.#stopChecks = null;
  }
}

/** The turns of this process: all servers that it embeds share its event loop. */
export const bodyTurns = new BodyTurns();
