const things = ['cart', 'order', 'invoice', 'profile', 'address', 'voucher', 'basket', 'payment', 'catalog', 'session'];
const parts = ['total', 'header', 'summary', 'items', 'status', 'owner', 'preview', 'badge', 'history', 'draft'];
const operations = ['apply', 'render', 'load', 'update', 'select', 'remove', 'refresh', 'validate', 'merge', 'submit'];
const sides = ['left', 'right', 'inner', 'outer', 'upper', 'lower', 'first', 'last', 'main', 'other'];
const modes = ['guest', 'member', 'admin', 'mobile', 'print', 'compact', 'legacy', 'trial', 'annual', 'shared'];

/**
 * Returns five words for a number below 100,000, different for each number. Words, not digits: grouping treats numbers
 * in a message as values.
 *
 * @param {number} number
 */
export function wordsOf(number) {
  const digit = (/** @type {number} */ place) => Math.floor(number / 10 ** place) % 10;
  return {
    thing: things[digit(0)],
    part: parts[digit(1)],
    operation: operations[digit(2)],
    side: sides[digit(3)],
    mode: modes[digit(4)],
  };
}

/** @param {string} word */
export function capital(word) {
  return word[0].toUpperCase() + word.slice(1);
}
