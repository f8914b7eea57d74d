import type { Writable } from 'node:stream';
import type { H3Event } from 'h3';
import { ProblemError } from '../problem.ts';
import type { Subscription } from '../stream/hub.ts';
import { setHeaders } from './response-headers.ts';
import { nodeRequest } from './incoming.ts';

/** Throws `http_version_not_supported` if any hop of the request used HTTP/1.0. */
export function assertStreams(event: H3Event): void {
  const version = nodeRequest(event)?.httpVersion;
  if (version === '1.0')
    throw new ProblemError(
      'http_version_not_supported',
      'The request came over HTTP/1.0, which cannot carry the stream. Use HTTP/1.1 or HTTP/2.',
    );
  if (/(?:^|,)\s*(?:HTTP\/)?1\.0(?:\s|,|$)/i.test(event.req.headers.get('via') ?? ''))
    throw new ProblemError(
      'http_version_not_supported',
      'A proxy on the way uses HTTP/1.0, which cannot carry the stream. Configure it to use HTTP/1.1.',
    );
}

/** Sets the headers of an endless response: no proxy may cache, change, compress or buffer it. */
export function setStreamHeaders(event: H3Event): void {
  setHeaders(event, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-cache, no-transform',
    'x-accel-buffering': 'no',
  });
}

/** Returns the endless response for h3 to send. */
export function streamResponse(event: H3Event, subscription: Subscription): object {
  return nodeRequest(event) ? new NodeStream(subscription) : webStream(subscription);
}

/**
 * A response over a socket: h3 pipes it into Node's response. h3's own event stream supports only one reader and costs
 * twice as much.
 */
class NodeStream {
  readonly #subscription: Subscription;

  constructor(subscription: Subscription) {
    this.#subscription = subscription;
  }

  pipe(response: Writable): void {
    // A broken connection also emits `close`. Without this listener its error would end the process.
    response.on('error', () => this.#subscription.cancel());
    response.on('close', () => this.#subscription.cancel());
    this.#subscription.start({
      get bufferedBytes() {
        return response.writableLength;
      },
      write: (bytes) => void response.write(bytes),
      end: () => void response.end(),
      disconnect: () => void response.destroy(),
    });
  }

  /** Called instead of `pipe` if the client has disconnected. */
  destroy(): void {
    this.#subscription.cancel();
  }
}

/** Returns a response without a socket, for the program that embeds this server. */
function webStream(subscription: Subscription): ReadableStream<Uint8Array> {
  const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
    subscription.start({
      get bufferedBytes() {
        return -(controller.desiredSize ?? 0);
      },
      // Other subscribers share the bytes, and the receiver of this chunk may change its bytes.
      write: (bytes) => controller.enqueue(new Uint8Array(bytes)),
      end() {
        subscription.cancel();
        controller.close();
      },
      disconnect() {
        subscription.cancel();
        controller.error(new Error('The subscriber was too slow.'));
      },
    });
  return new ReadableStream(
    { start, cancel: () => subscription.cancel() },
    new ByteLengthQueuingStrategy({ highWaterMark: 0 }),
  );
}
