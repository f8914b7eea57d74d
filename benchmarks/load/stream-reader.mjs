import { connect } from 'node:net';
import { once } from 'node:events';
import { request } from './request.mjs';

const mark = Buffer.from('\ndata: ');

/**
 * A subscriber of the live stream on a plain socket: a full client would cost more than the server.
 *
 * @typedef {Awaited<ReturnType<typeof openReader>>} StreamReader
 */

/**
 * @param {URL} url
 * @param {string} token
 * @param {(count: number) => void} [onEvents] called with the number of events in a received piece
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
    // A marker may be split between two pieces, and is never counted twice.
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

/** Counts chunks: each write of the server is one chunk of the response, in any number of pieces. */
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
      // No line of the headers is a hexadecimal number. After them, each chunk begins with a line with its length.
      if (/^[\da-f]+\r$/.test(line)) {
        left = Number.parseInt(line, 16) + 2;
        count++;
      }
      line = '';
    }
    return count;
  };
}
