import { openConnection } from './connection.mjs';

const everyMs = 10;

/**
 * Sends so many requests a second until it is stopped, whether or not the server keeps up.
 *
 * @param {URL} url
 * @param {() => Buffer} nextRequest
 * @param {{ perSecond: number, connections: number, tell?: (ms: number) => void }} options
 *   `tell`: of each answer, how long it took
 */
export async function pace(url, nextRequest, { perSecond, connections: count, tell }) {
  /** @type {Error[]} */
  const failures = [];
  const idle = await Promise.all(
    Array.from({ length: count }, () => openConnection(url, (error) => failures.push(error))),
  );
  const all = [...idle];
  let waiting = 0;
  let answered = 0;
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
      // In turn: a connection that is not used for five seconds is closed by the server.
      const connection = /** @type {import('./connection.mjs').Connection} */ (idle.shift());
      waiting--;
      const sent = performance.now();
      connection.exchange(nextRequest(), (status) => {
        tell?.(performance.now() - sent);
        if (status < 200 || status > 299) failures.push(new Error(`${url} answered ${status}.`));
        answered++;
        idle.push(connection);
        send();
      });
    }
  }

  return {
    /** Requests that were answered so far. */
    answered: () => answered,
    /** Throws if any request failed. */
    async stop() {
      clearInterval(timer);
      waiting = 0;
      const late = performance.now() + 10_000;
      while (idle.length < all.length && failures.length === 0 && performance.now() < late) {
        await new Promise((resolve) => setTimeout(resolve, everyMs));
      }
      for (const connection of all) connection.close();
      if (failures[0]) throw failures[0];
      if (idle.length < all.length) throw new Error(`${url} left requests without an answer.`);
      return { answered, perSecond: answered / ((performance.now() - began) / 1_000) };
    },
  };
}
