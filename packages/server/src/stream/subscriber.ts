import { limits } from '@service/protocol';
import type { StreamOwner } from './stream-limits.ts';

/** The output of a stream: a response that stays open. */
export interface Sink {
  /** Bytes that are buffered here because the client has not read them. */
  readonly bufferedBytes: number;
  write(bytes: Buffer): void;
  /** Ends the response once all buffered bytes are sent. */
  end(): void;
  /** Closes the connection immediately and drops buffered bytes. */
  disconnect(): void;
}

/** The owner of a stream, and its filter. */
export interface SubscriberOptions extends StreamOwner {
  /** Null selects all projects of the team. */
  projectId: number | null;
  /** Returns when the access ends, in milliseconds since 1970, by the current state of the model. */
  endsAt(): number;
  /** The last event id of the previous stream of this client, or null for a new client. */
  lastEventId: string | null;
}

/** One client of the stream. */
export class Subscriber {
  readonly options: SubscriberOptions;
  /** The batch at which it subscribed. Queued events up to this batch are not sent to it. */
  readonly startBatch: number;
  /** Milliseconds of `Timing`: when the next heartbeat is due. */
  heartbeatDueAt: number;
  readonly #sink: Sink;
  #isCancelled = false;

  constructor(options: SubscriberOptions, sink: Sink, startBatch: number, heartbeatDueAt: number) {
    this.options = options;
    this.#sink = sink;
    this.startBatch = startBatch;
    this.heartbeatDueAt = heartbeatDueAt;
  }

  /**
   * Sends bytes. Returns false and closes the connection if too many bytes are buffered. The client may reconnect. Does
   * nothing once the subscriber is cancelled.
   */
  send(bytes: Buffer): boolean {
    if (this.#isCancelled) return true;
    if (this.#sink.bufferedBytes + bytes.length > limits.streamBacklogBytes) {
      this.cancel();
      this.#sink.disconnect();
      return false;
    }
    this.#sink.write(bytes);
    return true;
  }

  end(): void {
    if (this.#isCancelled) return;
    this.cancel();
    this.#sink.end();
  }

  /** Ignores everything from now on: the connection is closed, but writes may still wait for their turn. */
  cancel(): void {
    this.#isCancelled = true;
  }
}
