// Loaded into the server before its own code: its clock shows the last moment that the parent process has sent.
// A month therefore passes in seconds, and the screenshots do not depend on the time at which they are taken.
let at = Number(process.env.PICTURES_CLOCK);
const RealDate = Date;

class FixedDate extends RealDate {
  /** @param {any[]} given */
  constructor(...given) {
    // @ts-expect-error -- forwards any arguments of Date
    super(...(given.length === 0 ? [at] : given));
  }

  /** @override */
  static now() {
    return at;
  }
}
globalThis.Date = /** @type {DateConstructor} */ (FixedDate);

process.on('message', (/** @type {number} */ moment) => {
  at = moment;
  process.send?.(moment);
});
process.channel?.unref();
