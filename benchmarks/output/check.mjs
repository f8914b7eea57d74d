import { figure, table } from './table.mjs';

/**
 * A target and its measured value.
 *
 * @typedef {object} Check
 * @property {string} name
 * @property {number} value
 * @property {string} unit
 * @property {number} [atLeast]
 * @property {number} [atMost]
 * @property {number} [aim] stricter than the target, and optional
 */

/** @param {Check} check */
export function isMet({ value, atLeast = -Infinity, atMost = Infinity }) {
  return value >= atLeast && value <= atMost;
}

/** @param {readonly Check[]} checks */
export function checkTable(checks) {
  const rows = checks.map((check) => {
    const { name, value, unit, atLeast, atMost, aim } = check;
    const digits = unit === '' ? 2 : 1;
    const target = atLeast === undefined ? `≤ ${atMost}` : `≥ ${atLeast}`;
    const expected = `${target} ${unit}${aim === undefined ? '' : `(aim ${aim})`}`.trim();
    return [name, `${figure(value, digits)} ${unit}`.trim(), expected, isMet(check) ? 'met' : 'MISSED'];
  });
  return table(['promise', 'measured', 'target', ''], rows);
}
