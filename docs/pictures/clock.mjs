// Loaded into the server before its own code: its clock stands still, at the moment that whoever started it told last.
// So a month goes by in seconds, and pictures are the same whenever they are taken.
let at = Number(process.env.PICTURES_CLOCK);
const RealDate = Date;

class ToldDate extends RealDate {
  /** @param {any[]} given */
  constructor(...given) {
    // @ts-expect-error -- whatever a date may be made of
    super(...(given.length === 0 ? [at] : given));
  }

  /** @override */
  static now() {
    return at;
  }
}
globalThis.Date = /** @type {DateConstructor} */ (ToldDate);

process.on('message', (/** @type {number} */ moment) => {
  at = moment;
  process.send?.(moment);
});
process.channel?.unref();
