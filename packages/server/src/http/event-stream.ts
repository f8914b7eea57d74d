import type { Writable } from 'node:stream';
import type { H3Event } from 'h3';
import { ProblemError } from '../problem.ts';
import type { Subscription } from '../stream/hub.ts';
import { setHeaders } from './answer-headers.ts';
import { nodeRequest } from './incoming.ts';

/** Throws `http_version_not_supported` for a request that came over HTTP/1.0 on any part of its way. */
export function assertStreams(event: H3Event): void {
  const version = nodeRequest(event)?.httpVersion;
  if (version === '1.0')
    throw new ProblemError(
      'http_version_not_supported',
      'The request came over HTTP/1.0, which can not carry the stream. Use HTTP/1.1 or HTTP/2.',
    );
  if (/(?:^|,)\s*(?:HTTP\/)?1\.0(?:\s|,|$)/i.test(event.req.headers.get('via') ?? ''))
    throw new ProblemError(
      'http_version_not_supported',
      'A proxy on the way speaks HTTP/1.0, which can not carry the stream. Have it speak HTTP/1.1.',
    );
}

/** Headers of an answer that goes on: nobody on its way may keep, change, pack or collect it. */
export function setStreamHeaders(event: H3Event): void {
  setHeaders(event, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
}

/** An answer that goes on, for h3 to send. */
export function streamAnswer(event: H3Event, seat: Subscription): object {
  return nodeRequest(event) ? new NodeStream(seat) : webStream(seat);
}

/**
 * Over a socket: what h3 pipes into Node's own answer. h3's event stream waits for one reader or for none, and costs
 * twice as much.
 */
class NodeStream {
  readonly #seat: Subscription;

  constructor(seat: Subscription) {
    this.#seat = seat;
  }

  pipe(answer: Writable): void {
    // A connection that breaks is told of as closed, too; nobody else listens to what it broke by.
    answer.on('error', () => this.#seat.leave());
    answer.on('close', () => this.#seat.leave());
    this.#seat.begin({
      get waitingBytes() {
        return answer.writableLength;
      },
      write: (bytes) => void answer.write(bytes),
      end: () => void answer.end(),
      cut: () => void answer.destroy(),
    });
  }

  /** Called in the place of `pipe`, if whoever asked has gone. */
  destroy(): void {
    this.#seat.leave();
  }
}

/** Without a socket: for the program around this server. */
function webStream(seat: Subscription): ReadableStream<Uint8Array> {
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
    seat.begin({
      get waitingBytes() {
        return -(controller.desiredSize ?? 0);
      },
      // Others read the very same bytes: whoever gets these may do with them as they like.
      write: (bytes) => controller.enqueue(new Uint8Array(bytes)),
      end() {
        seat.leave();
        controller.close();
      },
      cut() {
        seat.leave();
        controller.error(new Error('The reader of the stream was too slow.'));
      },
    });
  return new ReadableStream({ start, cancel: () => seat.leave() }, new ByteLengthQueuingStrategy({ highWaterMark: 0 }));
}
