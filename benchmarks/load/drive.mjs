import { openConnection } from './connection.mjs';

/**
 * Sends all requests as fast as the server responds, one at a time per connection. Rejects if a status is
 * not 2xx or a connection breaks.
 *
 * @param {URL} url
 * @param {readonly Buffer[]} requests prepared, so that their creation does not slow the load down
 * @param {{ connections: number, onStart?: () => void }} options `onStart` is called when all connections are open
 * @returns {Promise<{ seconds: number, loadBusy: number }>} `loadBusy`: the share of its core that the load used
 */
export async function drive(url, requests, { connections: count, onStart }) {
  /** @type {{ fail: (error: Error) => void, failed: Promise<never> }} */
  const { fail, failed } = failure();
  const connections = await Promise.all(Array.from({ length: count }, () => openConnection(url, fail)));
  onStart?.();
  const began = process.hrtime.bigint();
  const cpuBefore = process.cpuUsage();
  let sent = 0;

  const works = connections.map(
    (connection) =>
      new Promise((resolve) => {
        const next = () => {
          if (sent === requests.length) resolve(undefined);
          else connection.exchange(requests[sent++], onResponse);
        };
        const onResponse = (/** @type {number} */ status) => {
          if (status < 200 || status > 299) fail(new Error(`${url} responded with ${status}.`));
          else next();
        };
        next();
      }),
  );
  try {
    await Promise.race([Promise.all(works), failed]);
  } finally {
    for (const connection of connections) connection.close();
  }

  const seconds = Number(process.hrtime.bigint() - began) / 1e9;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { seconds, loadBusy: (user + system) / 1e6 / seconds };
}

function failure() {
  let reject;
  const failed = new Promise((_, no) => (reject = no));
  return { failed, fail: reject };
}
