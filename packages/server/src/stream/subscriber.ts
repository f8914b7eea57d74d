import { limits } from '@service/protocol';

/** Where what a reader is told goes: an answer that does not end by itself. */
export interface Sink {
  /** Bytes that lie here because they are not taken. */
  readonly waitingBytes: number;
  write(bytes: Buffer): void;
  /** Ends it once all that waits is taken. */
  end(): void;
  /** Ends it at once. */
  cut(): void;
}

/** Who listens, and to what. */
export interface SubscriberOptions {
  teamId: number;
  /** Null: to all projects of the team. */
  projectId: number | null;
  /** What it is known by: streams of one session or token are counted together. */
  knownBy: string;
  /** When it is no longer let in, as it stands now: milliseconds. */
  endsAt(): number;
  /** Of the event that it was told last, on a stream before this one; null: there was none. */
  lastEventId: string | null;
}

/** Somebody who listens. */
export class Subscriber {
  readonly listener: SubscriberOptions;
  /** All up to this batch it knows, whatever others are told. */
  readonly from: number;
  /** Milliseconds of the timing: when the next sign of life is due. */
  signDueAt: number;
  readonly #outlet: Sink;

  constructor(listener: SubscriberOptions, outlet: Sink, from: number, signDueAt: number) {
    this.listener = listener;
    this.#outlet = outlet;
    this.from = from;
    this.signDueAt = signDueAt;
  }

  /** False if it is too far behind to be told: then it is cut off, and may come again. */
  tell(bytes: Buffer): boolean {
    if (this.#outlet.waitingBytes + bytes.length > limits.streamBacklogBytes) {
      this.#outlet.cut();
      return false;
    }
    this.#outlet.write(bytes);
    return true;
  }

  end(): void {
    this.#outlet.end();
  }
}
