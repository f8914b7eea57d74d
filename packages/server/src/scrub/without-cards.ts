import { removedText } from './removed-text.ts';

/** Of any script in which cards are written. */
const digit = String.raw`[\d\u0660-\u0669\u06f0-\u06f9\uff10-\uff19]`;
/** What stands between the digits of a card, and of much else. */
const usual = '[ -]?';
const unusual = String.raw`(?:[ .,_/\\|+*~:·•\-\u00a0\u00ad\u2000-\u2015\u202f\u205f-\u2064\u3000\ufeff]|&nbsp;|%20|%2D){0,3}`;
const usualRun = new RegExp(`(?<!${digit})${digit}(?:${usual}${digit}){12,}(?!${digit})`, 'g');
const unusualRun = new RegExp(`(?<!${digit})${digit}(?:${unusual}${digit}){12,}(?!${digit})`, 'g');
const unusualGap = new RegExp(String.raw`(?:&nbsp;|%20|%2D|[^\d\u0660-\u0669\u06f0-\u06f9\uff10-\uff19])+`, 'g');

/** What cards begin with. */
const issuer = /^(?:4|5[0-8]|6|3[4-9]|30[0-59]|220[0-4]|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)|8[12]|9792)/;
/** As they are printed: groups of the same size but for the last one, or those of some that have fewer digits. */
const printed = /^(?:4 6 [45]|(\d)(?: \1){2,}(?: \d)?|\d{2})$/;

/**
 * Takes cards out: 13 to 19 digits that add up, whatever numbers stand beside them. What is parted by dots, slashes and
 * the like is dates, addresses and versions more often than a card: it has to look like one besides.
 */
export function withoutCards(text: string): string {
  return text.replace(usualRun, withoutUsual).replace(unusualRun, withoutUnusual);
}

function withoutUsual(run: string): string {
  const groups = run.split(/[ -]/);
  const isCard = groups.map(() => false);
  for (const first of groups.keys()) {
    const card = new Digits();
    for (let last = first; last < groups.length && card.count <= mostDigits; last++)
      if (card.add(groups[last] ?? '').addUp) isCard.fill(true, first, last + 1);
  }
  if (!isCard.includes(true)) return run;
  return groups
    .map((group, index) => (isCard[index] ? removedText : group))
    .filter((_, index) => !isCard[index] || !isCard[index - 1])
    .join(' ');
}

function withoutUnusual(run: string): string {
  const groups = run.split(unusualGap);
  const gaps = run.match(unusualGap) ?? [];
  let clean = '';
  for (let first = 0; first < groups.length; first++) {
    const last = lastOfCard(groups, first);
    clean += (last < 0 ? groups[first] : removedText) + (gaps[Math.max(first, last)] ?? '');
    if (last >= 0) first = last;
  }
  return clean;
}

/** Where a card ends that begins with this group, or -1. */
function lastOfCard(groups: readonly string[], first: number): number {
  const card = new Digits();
  for (let last = first; last < groups.length && card.count <= mostDigits; last++)
    if (card.add(groups[last] ?? '').addUp && looksPrinted(groups.slice(first, last + 1))) return last;
  return -1;
}

function looksPrinted(groups: readonly string[]): boolean {
  const digits = Array.from(groups.join(''), valueOf).join('');
  return issuer.test(digits) && printed.test(groups.map(({ length }) => length).join(' '));
}

const leastDigits = 13;
const mostDigits = 19;

/** Digits of a card, the first ones first. They add up by Luhn: every second one from the right counts twice, by the sum of its digits. */
class Digits {
  count = 0;
  #sum = 0;
  /** The sum if one more digit stood behind them: then those count twice that did not. */
  #nextSum = 0;

  add(group: string): this {
    for (const char of group.length > mostDigits ? '' : group) {
      const value = valueOf(char);
      const twice = value > 4 ? value * 2 - 9 : value * 2;
      [this.#sum, this.#nextSum] = [this.#nextSum + value, this.#sum + twice];
    }
    this.count += group.length;
    return this;
  }

  get addUp(): boolean {
    return this.count >= leastDigits && this.count <= mostDigits && this.#sum % 10 === 0;
  }
}

/** In every script the digits stand in a row that begins at a multiple of 16. */
function valueOf(char: string): number {
  return char.charCodeAt(0) & 0xf;
}
