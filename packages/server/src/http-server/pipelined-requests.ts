import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The maximum number of requests of a connection that wait for the response to an earlier one. */
const maxWaitingOfConnection = 128;
/** The maximum number on all connections together. Beyond it, one request of each connection may still wait. */
const maxWaitingOfServer = 2_048;

/** The requests of one connection. */
interface Pipeline {
  /** The response to its latest request. */
  latest: ServerResponse;
  waiting: number;
}

/**
 * Handles the requests of each connection one after another. A client can send requests without reading any response,
 * and Node passes all of them on at once. All responses would then be in memory: some kilobytes of requests would fill
 * gigabytes. A connection with too many waiting requests is destroyed.
 */
export function handlePipelined(handle: RequestListener): RequestListener {
  const pipelines = new WeakMap<Socket, Pipeline>();
  let waitingOfServer = 0;
  return (request, response) => {
    const { socket } = request;
    // The parser passes on the rest of the bytes that it has read, also after a response that closes the connection.
    if (!socket.writable) return;
    const pipeline = pipelines.get(socket);
    if (!pipeline) {
      const first: Pipeline = { latest: response, waiting: 0 };
      pipelines.set(socket, first);
      // Node closes only the response that is being sent. The waiting ones get no event.
      socket.once('close', () => (waitingOfServer -= first.waiting));
      handle(request, response);
      return;
    }
    const { latest, waiting } = pipeline;
    pipeline.latest = response;
    if (latest.closed) {
      handle(request, response);
    } else if (waiting > 0 && (waiting >= maxWaitingOfConnection || waitingOfServer >= maxWaitingOfServer)) {
      socket.destroy();
    } else {
      pipeline.waiting++;
      waitingOfServer++;
      latest.once('close', () => {
        if (socket.destroyed) return;
        pipeline.waiting--;
        waitingOfServer--;
        if (socket.writable) handle(request, response);
      });
    }
  };
}
