import { openConnection } from './connection.mjs';

const everyMs = 10;

/**
 * Sends a fixed number of requests a second until it is stopped. If the server is slower, requests wait for a free
 * connection.
 *
 * @param {URL} url
 * @param {() => Buffer} nextRequest
 * @param {{ perSecond: number, connections: number, onResponse?: (ms: number) => void }} options
 *   `onResponse`: receives the milliseconds from sending each request to its response
 */
export async function pace(url, nextRequest, { perSecond, connections: count, onResponse }) {
  /** @type {Error[]} */
  const failures = [];
  const idle = await Promise.all(
    Array.from({ length: count }, () => openConnection(url, (error) => failures.push(error))),
  );
  const all = [...idle];
  let waiting = 0;
  let responses = 0;
  const began = performance.now();
  let due = 0;

  const timer = setInterval(() => {
    const dueNow = Math.floor(((performance.now() - began) / 1_000) * perSecond);
    waiting += dueNow - due;
    due = dueNow;
    send();
  }, everyMs);

  function send() {
    while (waiting > 0 && idle.length > 0) {
      // In turn, because servers close idle connections: ours after 61 seconds.
      const connection = /** @type {import('./connection.mjs').Connection} */ (idle.shift());
      waiting--;
      const sent = performance.now();
      connection.exchange(nextRequest(), (status) => {
        onResponse?.(performance.now() - sent);
        if (status < 200 || status > 299) failures.push(new Error(`${url} responded with ${status}.`));
        responses++;
        idle.push(connection);
        send();
      });
    }
  }

  return {
    /** The number of responses. */
    responses: () => responses,
    /** Stops sending. Rejects if a request has failed, or has no response ten seconds later. */
    async stop() {
      clearInterval(timer);
      waiting = 0;
      const late = performance.now() + 10_000;
      while (idle.length < all.length && failures.length === 0 && performance.now() < late) {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
      for (const connection of all) connection.close();
      if (failures[0]) throw failures[0];
      if (idle.length < all.length) throw new Error(`${url} left requests without a response.`);
      return { responses, perSecond: responses / ((performance.now() - began) / 1_000) };
    },
  };
}
