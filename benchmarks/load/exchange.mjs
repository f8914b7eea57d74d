import { openConnection } from './connection.mjs';

/**
 * Opens a connection whose requests resolve with their status, or with 0 if the connection breaks.
 *
 * @param {URL} url
 */
export async function openExchange(url) {
  const ended = new AbortController();
  const broken = new Promise((resolve) => ended.signal.addEventListener('abort', () => resolve(0)));
  const connection = await openConnection(url, () => ended.abort());
  return {
    /**
     * @param {Buffer} request
     * @returns {Promise<number>}
     */
    exchange: (request) => Promise.race([broken, new Promise((resolve) => connection.exchange(request, resolve))]),
    close: connection.close,
  };
}
