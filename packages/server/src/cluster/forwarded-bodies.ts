import type { IncomingMessage, ServerResponse } from 'node:http';
import { limits } from '@service/protocol';
import { bodyTurns, type BodyTurn } from '../http/body-turns.ts';
import { ReceivedBytes } from '../http/received-bytes.ts';
import { reportPath } from '../receive/receive-report.ts';

/** A body above this size is no report, or a report that is rejected. */
const maxRepeatableBytes = limits.reportBodyBytes;

/**
 * Reads bodies before they are forwarded, so that they can be sent again to another holder. Large bodies share a
 * budget of memory, and take turns.
 */
export class ForwardedBodies {
  readonly #maxHeldBytes: number;
  #heldBytes = 0;

  /** `maxHeldBytes` limits the memory of all bodies above 64 KiB. */
  constructor(maxHeldBytes = 32 * 1024 * 1024) {
    this.#maxHeldBytes = maxHeldBytes;
  }

  /** The bytes of large bodies that are in memory. A body counts until its response is closed. */
  get heldBytes(): number {
    return this.#heldBytes;
  }

  /**
   * Reads a body whose response is not closed. Resolves with null if the body has to be streamed: it is larger than a
   * report may be, it is chunked and no report, or the budget is used up. The request then still has all bytes. Rejects
   * if the response is closed before the end of the body.
   */
  read(request: IncomingMessage, response: ServerResponse): Promise<Buffer | null> {
    const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
    const declaredBytes = Number(length ?? 0);
    if (declaredBytes > maxRepeatableBytes) return Promise.resolve(null);
    if (encoding !== undefined && request.url !== reportPath) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const received = new ReceivedBytes(declaredBytes);
      let held = 0;
      let turn: BodyTurn | null = null;
      const receive = (chunk: Buffer): void => {
        turn?.receive();
        received.push(chunk);
        if (!received.isLarge) return;
        const more = received.size - held;
        if (received.size > maxRepeatableBytes || this.#heldBytes + more > this.#maxHeldBytes) return stream();
        held += more;
        this.#heldBytes += more;
        turn ??= bodyTurns.join(request);
      };
      const take = (): Buffer => {
        turn?.end();
        const body = received.join();
        received.clear();
        return body;
      };
      const finish = (): void => resolve(take());
      const stream = (): void => {
        request.off('data', receive).off('end', finish).pause();
        // The bytes that were read are put back before the rest. They count until the response is closed.
        request.unshift(take());
        resolve(null);
      };
      // By events: iterating over the request costs twice as much.
      request.on('data', receive).once('end', finish);
      // A connection that ends before the body closes its response, too.
      response.once('close', () => {
        request.off('data', receive);
        this.#heldBytes -= held;
        turn?.end();
        received.clear();
        reject(new Error('The connection was closed before the end of the body.'));
      });
    });
  }
}
