import { connect } from 'node:net';
import { once } from 'node:events';

/**
 * A keep-alive connection that carries one request at a time. Node's own client would cost more than the measured
 * servers.
 *
 * @typedef {object} Connection
 * @property {(request: Buffer, onResponse: (status: number) => void) => void} exchange
 * @property {() => void} close
 */

/**
 * @param {URL} url
 * @param {(error: Error) => void} onError called when the connection breaks or a response arrives without a request
 * @returns {Promise<Connection>}
 */
export async function openConnection(url, onError) {
  const socket = connect({ host: url.hostname, port: Number(url.port), noDelay: true });
  await once(socket, 'connect');
  /** @type {((status: number) => void) | null} */
  let waiting = null;
  /** @type {Buffer | null} */
  let begun = null;
  let closing = false;

  socket.on('data', (chunk) => {
    const bytes = begun === null ? chunk : Buffer.concat([begun, chunk]);
    if (!isWhole(bytes)) {
      begun = bytes;
      return;
    }
    begun = null;
    const onResponse = waiting;
    waiting = null;
    if (onResponse === null) onError(new Error('A response arrived without a request.'));
    else onResponse(Number(bytes.latin1Slice(9, 12)));
  });
  socket.on('error', onError);
  socket.on('close', () => {
    if (!closing) onError(new Error(`${url.host} closed a connection.`));
  });

  return {
    exchange(bytes, onResponse) {
      waiting = onResponse;
      socket.write(bytes);
    },
    close() {
      closing = true;
      socket.destroy();
    },
  };
}

/** @param {Buffer} bytes */
function isWhole(bytes) {
  const head = bytes.latin1Slice(0, Math.min(bytes.length, 2_048));
  const headEnd = head.indexOf('\r\n\r\n');
  if (headEnd === -1) return false;
  const length = /\r\ncontent-length: ?(\d+)/i.exec(head);
  if (length) return bytes.length >= headEnd + 4 + Number(length[1]);
  if (/\r\ntransfer-encoding: ?chunked/i.test(head)) return bytes.latin1Slice(bytes.length - 5) === '0\r\n\r\n';
  // Responses without a body, such as 204.
  return true;
}
