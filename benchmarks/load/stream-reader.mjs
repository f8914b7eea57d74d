import { connect } from 'node:net';
import { once } from 'node:events';
import { request } from './request.mjs';

const mark = Buffer.from('\ndata: ');

/**
 * Somebody who listens to the live stream over a plain socket: a client of its own would cost more than the server.
 *
 * @typedef {Awaited<ReturnType<typeof openReader>>} StreamReader
 */

/**
 * @param {URL} url
 * @param {string} token
 * @param {(count: number) => void} [onEvents] called with how many have come with a piece
 */
export async function openReader(url, token, onEvents) {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  await once(socket, 'connect');
  const seen = { events: 0, writes: 0 };
  let tail = Buffer.alloc(0);
  const countWrites = chunkCounter();
  socket.on('data', (piece) => {
    const bytes = tail.length > 0 ? Buffer.concat([tail, piece]) : piece;
    let count = 0;
    for (let at = bytes.indexOf(mark); at >= 0; at = bytes.indexOf(mark, at + 1)) count++;
    // A mark may be torn in two, and is never counted twice.
    tail = bytes.subarray(Math.max(0, bytes.length - mark.length + 1));
    seen.events += count;
    seen.writes += countWrites(piece);
    if (count > 0) onEvents?.(count);
  });
  socket.on('error', () => {});
  socket.write(
    request('GET', new URL('/api/v1/stream', url), {
      headers: { Authorization: `Bearer ${token}` },
    }),
  );
  await once(socket, 'data');
  return { seen, close: () => socket.destroy() };
}

/** What the server writes at once is one chunk of its answer, in however many pieces it comes. */
function chunkCounter() {
  let left = -1;
  let line = '';
  return (/** @type {Buffer} */ piece) => {
    let count = 0;
    for (let at = 0; at < piece.length;) {
      if (left > 0) {
        const taken = Math.min(left, piece.length - at);
        [left, at] = [left - taken, at + taken];
        continue;
      }
      const end = piece.indexOf(10, at);
      line += piece.latin1Slice(at, end < 0 ? piece.length : end);
      if (end < 0) break;
      at = end + 1;
      // Behind the headers, which hold a length of nothing, each chunk has a line with its length before it.
      if (/^[\da-f]+\r$/.test(line)) {
        left = Number.parseInt(line, 16) + 2;
        count++;
      }
      line = '';
    }
    return count;
  };
}
