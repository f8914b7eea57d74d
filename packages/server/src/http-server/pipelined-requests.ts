import type { RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** The maximum number of requests that wait for the response to an earlier request of their connection. */
const maxPipelined = 16;

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
  return (request, response) => {
    const { socket } = request;
    // The parser passes on the rest of the bytes that it has read.
    if (socket.destroyed) return;
    const pipeline = pipelines.get(socket);
    if (!pipeline) {
      pipelines.set(socket, { latest: response, waiting: 0 });
      handle(request, response);
      return;
    }
    const { latest } = pipeline;
    pipeline.latest = response;
    if (latest.writableFinished) {
      handle(request, response);
    } else if (pipeline.waiting === maxPipelined) {
      socket.destroy();
    } else {
      pipeline.waiting++;
      latest.once('close', () => {
        pipeline.waiting--;
        if (!socket.destroyed) handle(request, response);
      });
    }
  };
}
