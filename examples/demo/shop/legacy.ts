/** Throws a string, as old code does. */
export function closeShop(): never {
  // oxlint-disable-next-line no-throw-literal -- the button demonstrates this
  throw 'The shop is closed';
}
